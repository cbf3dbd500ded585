# rugose_room(TARGET FOLDER): the sources of a folder become part of a target. Suffixes are a grammar:
#
#   _simd.c           compiled once for each level of processors, with RUGI_LEVEL = ref, avx2, avx512; for
#                     WebAssembly ref and, where the text has vectors of it, wasm
#   _ref.c, _avx2.c, _avx512.c, _wasm.c  kernels of that level, compiled with its flags
#   _cl.c               an engine on OpenCL devices; left out where its headers are not there
#   .cl                 kernels of OpenCL, part of the program as text: rugi_cl_NAME
include(${CMAKE_CURRENT_LIST_DIR}/embed_cl.cmake)
include(CheckCCompilerFlag)

# Kernels begin at a cache line: else their speed depends on what happens to stand before them (the same
# machine code was measured at half its speed).
set(rugose_ref_flags -falign-functions=64)
set(rugose_avx2_flags ${rugose_ref_flags} -mavx2 -mbmi2 -mpopcnt -ffp-contract=off)
set(rugose_avx512_flags ${rugose_ref_flags} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd -mavx512vbmi2
    -mavx512vpopcntdq -mbmi2 -mpopcnt -ffp-contract=off)
check_c_compiler_flag("-mavx2 -mbmi2" RUGOSE_HAVE_AVX2)
check_c_compiler_flag("-mavx512f -mavx512vbmi2 -mavx512vpopcntdq" RUGOSE_HAVE_AVX512)
set(rugose_wasm_flags -msimd128 -ffp-contract=off)
set(rugose_levels ref)
if(RUGOSE_HAVE_AVX2 AND RUGOSE_HAVE_AVX512)
  list(APPEND rugose_levels avx2 avx512)
elseif(EMSCRIPTEN)
  list(APPEND rugose_levels wasm)
endif()

function(rugose_room target folder)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.c)
  if(NOT RUGOSE_OPENCL_INCLUDE)
    list(FILTER sources EXCLUDE REGEX "_cl\\.c$")
  endif()
  if(NOT RUGOSE_GDAL_INCLUDE)
    list(FILTER sources EXCLUDE REGEX "/gdal/gdal_[a-z]*\\.c$")
  endif()
  foreach(source ${sources})
    if(source MATCHES "_simd\\.c$")
      list(REMOVE_ITEM sources ${source})
      get_filename_component(name ${source} NAME)
      file(STRINGS ${source} wasm_vectors REGEX "wasm_" LIMIT_COUNT 1)
      set(levels ${rugose_levels})
      if(NOT wasm_vectors)
        list(REMOVE_ITEM levels wasm)
      endif()
      foreach(level ${levels})
        string(REPLACE "_simd.c" "_${level}.c" stub ${CMAKE_CURRENT_BINARY_DIR}/${name})
        file(CONFIGURE OUTPUT ${stub} @ONLY CONTENT
          "#define RUGI_LEVEL @level@\n#include \"@source@\"\n")
        list(APPEND sources ${stub})
      endforeach()
    endif()
  endforeach()
  foreach(level ref avx2 avx512 wasm)
    set(kernels ${sources})
    list(FILTER kernels INCLUDE REGEX "_${level}\\.c$")
    if(level IN_LIST rugose_levels)
      set_source_files_properties(${kernels} TARGET_DIRECTORY ${target}
        PROPERTIES COMPILE_OPTIONS "${rugose_${level}_flags}")
    elseif(kernels)
      list(REMOVE_ITEM sources ${kernels})
    endif()
  endforeach()
  target_sources(${target} PRIVATE ${sources})
  file(GLOB device_kernels CONFIGURE_DEPENDS ${folder}/*.cl)
  if(RUGOSE_OPENCL_INCLUDE)
    rugose_embed_cl(${target} ${device_kernels})
  endif()
endfunction()

# rugose_rooms(TARGET FOLDER ROOM...): the rooms of a folder, in the order of the floors: the files of a
# room use those of rooms that stand before it. The folder's own files stand where "." does, else above
# all. tests/rules holds the rows against the code.
function(rugose_rooms target folder)
  if(NOT "." IN_LIST ARGN)
    list(APPEND ARGN .)
  endif()
  foreach(room ${ARGN})
    rugose_room(${target} ${folder}/${room})
  endforeach()
endfunction()
