# SPDX-License-Identifier: BSD-3-Clause
"""How near a decoded image is to its original, and what a codec saves at the same nearness."""

import math

import numpy as np
from scipy.interpolate import PchipInterpolator

BPP = (0.15, 2.0)  # the range that is compared, bits per pixel
LUMA = np.array([0.299, 0.587, 0.114], np.float32)  # BT.601
WINDOW = np.exp(-((np.arange(11) - 5) ** 2) / (2 * 1.5**2))
WINDOW = (WINDOW / WINDOW.sum()).astype(np.float32)
C1, C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)  # of the scales, the finest first
SMALLEST = 11 * 2**4  # the side that the coarsest scale needs


def luma(image):
    """Luma of an image [ny][nx] or [ny][nx][3] of 8 bits, unrounded."""
    return image.astype(np.float32) if image.ndim == 2 else image.astype(np.float32) @ LUMA


def psnr(a, b):
    """Decibels over 8 bits; infinite for equal images."""
    mse = np.mean((a.astype(np.float32) - b.astype(np.float32)) ** 2, dtype=float)
    return 10 * math.log10(255**2 / mse) if mse > 0 else math.inf


def decibels(s):
    """A similarity, 1 where images are equal, as decibels."""
    return -10 * math.log10(1 - s) if s < 1 else math.inf


def window_means(cells):
    """Gaussian means of 11 x 11 pixels, of windows that lie inside."""
    for axis in (0, 1):
        cells = np.moveaxis(cells, axis, 0)
        n = cells.shape[0] - 10
        cells = sum(WINDOW[i] * cells[i : i + n] for i in range(11))
        cells = np.moveaxis(cells, 0, axis)
    return cells


def similarity(a, b):
    """SSIM of two planes, and the part of it that knows no luminance (contrast, structure)."""
    a, b = a - np.float32(128), b - np.float32(128)  # smaller squares lose fewer digits
    mean_a, mean_b = window_means(a), window_means(b)
    var_a = window_means(a * a) - mean_a**2
    var_b = window_means(b * b) - mean_b**2
    covariance = window_means(a * b) - mean_a * mean_b
    mean_a, mean_b = mean_a + np.float32(128), mean_b + np.float32(128)
    part = (2 * covariance + C2) / (var_a + var_b + C2)
    luminance = (2 * mean_a * mean_b + C1) / (mean_a**2 + mean_b**2 + C1)
    return float(np.mean(luminance * part, dtype=float)), float(np.mean(part, dtype=float))


def halve(cells):
    """Means of 2 x 2 pixels; an odd row or column at the end is left out."""
    ny, nx = (n // 2 * 2 for n in cells.shape[:2])
    cells = cells[:ny, :nx].astype(np.float32)
    return (cells[::2, ::2] + cells[1::2, ::2] + cells[::2, 1::2] + cells[1::2, 1::2]) / 4


def similarities(a, b):
    """SSIM and MS-SSIM of two planes; the latter is NaN where a side is below 176 pixels."""
    first, product = None, 1.0
    scales = len(WEIGHTS) if min(a.shape) >= SMALLEST else 1
    for scale in range(scales):
        whole, part = similarity(a, b)
        first = whole if first is None else first
        product *= max(whole if scale == len(WEIGHTS) - 1 else part, 0) ** WEIGHTS[scale]
        a, b = halve(a), halve(b)
    return first, product if scales > 1 else math.nan


def measure(original, decoded):
    """All measures of a decoded image, in decibels, by name."""
    a, b = luma(original), luma(decoded)
    ssim, ms_ssim = similarities(a, b)
    return {
        "psnr": psnr(original, decoded),
        "luma": psnr(a, b),
        "ssim": decibels(ssim),
        "ms_ssim": decibels(ms_ssim) if not math.isnan(ms_ssim) else math.nan,
    }


def curve(points, name):
    """The logarithm of the rate as a function of a measure, and the range of the latter.

    Points are dictionaries with `bpp` and measures; one that another beats in both is left out. The
    range is cut to what BPP allows. None where fewer than three points are left.
    """
    kept = []
    for point in sorted(points, key=lambda p: (p["bpp"], -p[name])):
        better = not kept or (point["bpp"] > kept[-1][0] and point[name] > kept[-1][1])
        if better and math.isfinite(point[name]):
            kept.append((point["bpp"], point[name]))
    if len(kept) < 3:
        return None
    rates = np.log([p[0] for p in kept])
    values = np.array([p[1] for p in kept])
    reached = PchipInterpolator(rates, values)
    low = float(reached(max(rates[0], math.log(BPP[0]))))
    high = float(reached(min(rates[-1], math.log(BPP[1]))))
    return PchipInterpolator(values, rates), low, high


def bd_rate(ours, theirs, name):
    """Percent of bytes that ours takes more than theirs; NaN where no range is reached by both."""
    a, b = curve(ours, name), curve(theirs, name)
    if a is None or b is None:
        return math.nan
    low, high = max(a[1], b[1]), min(a[2], b[2])
    if not low < high:
        return math.nan
    mean = (a[0].integrate(low, high) - b[0].integrate(low, high)) / (high - low)
    return 100 * (math.exp(mean) - 1)
