#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes quality.tsv with scikit-image, from tests/data/{camera,brick}.png:

    python3 quality.py >quality.tsv

The second image is the first one, disturbed by whole numbers: a + (7 x + 13 y) mod 31 - 15, kept in 0..255."""
import os
import sys

import numpy
import skimage
from skimage import io, metrics

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = {  # what a grey value of 8 bits becomes, and the range of values
    "u8": (lambda g: g.astype(numpy.uint8), 255),
    "u16": (lambda g: (g * 257).astype(numpy.uint16), 65535),
    "f64": (lambda g: g / 255.0, 1),
    "f64 far": (lambda g: g / 255.0 + 1000, 1),
}


def main():
    print("# scikit-image %s, numpy %s: python3 quality.py; structural_similarity(a, b, data_range=L, "
          "gaussian_weights=True, sigma=1.5, use_sample_covariance=False)"
          % (skimage.__version__, numpy.__version__))
    print("image\ttype\tny\tnx\tmse\tpsnr\tssim\tmax_difference")
    for name in ("camera", "brick"):
        grey = io.imread(os.path.join(HERE, "..", name + ".png")).astype(int)
        for ny, nx in ((512, 512), (11, 11), (37, 301), (200, 12)):
            a = grey[:ny, :nx]
            y, x = numpy.indices(a.shape)
            b = numpy.clip(a + (7 * x + 13 * y) % 31 - 15, 0, 255)
            for kind, (convert, peak) in TYPES.items():
                p, q = convert(a), convert(b)
                mse = metrics.mean_squared_error(p, q)
                ssim = metrics.structural_similarity(
                    p, q, data_range=peak, gaussian_weights=True, sigma=1.5,
                    use_sample_covariance=False)
                psnr = 10 * numpy.log10(peak**2 / mse)
                print("\t".join([name, kind, str(ny), str(nx)] +
                                ["%.12g" % v for v in (mse, psnr, ssim,
                                                       abs(p.astype(float) - q).max())]))


sys.exit(main())
