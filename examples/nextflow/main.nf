// SPDX-License-Identifier: BSD-3-Clause
//
// The images of a list, which has absolute paths, in shards, and one large image in parts:
//
//     nextflow run main.nf --list "$PWD/LIST.csv" --image IMAGE -resume

params.shards = 8
params.parts = 8
params.out = 'out'

process SHARD {
    cpus 4
    errorStrategy 'retry'
    maxRetries 3

    input:
    val k
    val list

    output:
    path "shard-${k}.csv"

    // An input that fails has no row in the table; the log of its task names it.
    script:
    """
    rugose boxcount -q --threads ${task.cpus} --shard ${k}/${params.shards} --list '${list}' -o shard-${k}.csv ||
        test -f shard-${k}.csv
    """
}

process PART {
    cpus 4
    errorStrategy 'retry'
    maxRetries 3

    input:
    val k
    path image

    output:
    path "part-${k}.rgs"

    script:
    """
    rugose boxcount -q --foreground above=128 --threads ${task.cpus} --part ${k}/${params.parts} \\
        -o part-${k}.rgs '${image}'
    """
}

process MERGE {
    publishDir params.out

    input:
    path parts
    path image

    output:
    path 'image.csv'

    script:
    """
    rugose merge -o image.csv ${parts}
    """
}

workflow {
    shards = SHARD(Channel.of(1..params.shards), params.list)
    shards.collectFile(name: 'images.csv', keepHeader: true, skip: 1, storeDir: params.out)
    image = file(params.image)
    parts = PART(Channel.of(1..params.parts), image)
    MERGE(parts.collect(), image)
}
