/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A sentence for each column of each command, with its formula in words or in signs. */
"use strict";

rugose.words = (function () {
  const fit = {
    std_error: "Standard error of the slope, from how far the points lie from the line. Sizes are not independent of " +
      "each other, so it is too small rather than too large.",
    r_squared: "r²: the share of the variance that the line explains. It is high for almost any set; look at the " +
      "local slopes as well.",
    size_min: "The smallest box size in the fit.",
    size_max: "The largest box size in the fit.",
    n_sizes: "The number of box sizes in the fit. With three or four, the error says little.",
  };

  const all = {
    image: "The image, volume or file, as it was named.",
    shape: "Pixels along each axis, the slowest first: rows × columns, or slices × rows × columns.",
    label: "The label of the region in the label image; 0 is the whole image.",
    engine: "What computed the result: the processor with its level of vector instructions, or an OpenCL device.",
    status: "“ok”, or why a number is undefined or in doubt.",
    seconds: "The time that this image took, in seconds.",
    output: "The file that was written.",
    output_bytes: "The bytes of the file that was written.",
    output_shape: "The rows × columns of the picture that was written.",
    dtype: "The type of a pixel: u whole numbers from 0, i with sign, f real; with the number of bits.",
    planes: "The number of colour planes: 1 grey, 3 red, green and blue.",
    bytes: "The bytes of the file.",
    bpp: "Bits per pixel of the image: 8 × bytes / pixels.",
    psnr: "Peak signal-to-noise ratio in decibels: 10 log₁₀(peak² / mean squared difference). Larger is closer to " +
      "the original; undefined where nothing differs.",
    ssim: "Structural similarity (Wang et al. 2004), averaged over the image: 1 for equal images.",
    method: "How it was computed.",
    true: "The true class, by the folder or list that the image is from.",
    class: "The class.",
  };

  const sets = {
    boxcount: {
      foreground: "Which pixels are set: the rule that was used.",
      foreground_share: "The share of pixels that are set: set pixels / pixels.",
      dimension: "The fractal dimension: the slope of ln N(s) against ln(1/s), by least squares, where N(s) is the number " +
        "of boxes of side s that hold foreground.",
      grid: "Where the grid of boxes lies: at the first pixel (origin), at the position with the fewest boxes (min), or " +
        "the mean over all positions.",
      size_unit: "The unit of the box sizes.",
      levels: "The number of grey levels, which sets the height of the boxes.",
      method: "How the boxes were counted; all methods give the same counts.",
      ...fit,
    },
    gray: {
      dimension: "The fractal dimension of the grey values as a surface: the slope of ln N(s) against ln(1/s), where N(s) is " +
        "the number of boxes that meet the surface (differential box counting).",
    },
    multifractal: {
      q: "The order of the moment. Large orders give weight to the fullest boxes, negative ones to the emptiest.",
      tau: "τ(q): the slope of ln Σ p^q against ln s, over the boxes of side s, where p is the share of a box in the mass.",
      tau_error: "Standard error of τ.",
      D: "The generalised dimension D_q = τ(q) / (q − 1); at q = 1 the slope of Σ p ln p. D₀ is the box-counting " +
        "dimension, D₁ that of information, D₂ that of correlation. It cannot rise with q.",
      D_error: "Standard error of D_q.",
      alpha: "α(q): the slope of Σ μ ln p against ln s, with μ = p^q / Σ p^q (Chhabra and Jensen 1989).",
      f: "f(α): the slope of Σ μ ln μ against ln s, the dimension of the places with exponent α. It lies between 0 " +
        "and D₀ where there is a spectrum.",
      f_error: "Standard error of f.",
      near_empty: "The largest share in Σ p^q of boxes with less than 1/10\u202f000 of the mean mass. Above a half, a few stray " +
        "pixels decide the order.",
      slice: "The number of the slice of α.",
      alpha_min: "The least α of the slice.",
      alpha_max: "The largest α of the slice.",
      pixels: "The number of pixels whose α lies in the slice.",
      ...fit,
    },
    alpha: {
      f: "f: the box-counting dimension of the pixels whose α lies in the slice.",
    },
    lacunarity: {
      size: "The side of the box, in pixels.",
      lacunarity: "Λ(s) = E[M²] / E[M]², over the masses M of all boxes of side s inside the image (Allain and " +
        "Cloitre 1991): 1 + variance / mean². 1 is perfectly even.",
      mean: "The mean mass of a box: set pixels, or the sum of grey values.",
      variance: "The variance of the mass of a box.",
      positions: "The number of boxes.",
      mean_lacunarity: "The mean of Λ over the sizes of the image or label.",
    },
    lbp: {
      points: "The number of samples on the circle around a pixel, P.",
      radius: "The radius of the circle in pixels, R.",
      method: "How a pattern becomes a code. riu2: the number of set bits where the pattern has at most two changes around " +
        "the circle, else P + 1.",
      plane: "The plane of the volume on which the patterns were measured.",
      pixels: "The number of pixels that have a code.",
    },
    haralick: {
      area: "The number of pixels in the region.",
      distance: "The distance of the pairs in pixels.",
      angle: "The direction of the pairs, in degrees, or how the directions were combined.",
      pairs: "The number of pairs that were counted.",
      levels: "The number of grey levels that occur, N.",
      angular_second_moment: "f1 = Σ p²: large where few pairs of levels make up most of the image.",
      contrast: "f2 = Σ (i − j)² p: the mean squared difference of neighbours.",
      correlation: "f3 = Σ (i − μ)(j − μ) p / σ²: how well a pixel predicts its neighbour; undefined where all are equal.",
      variance: "f4 = σ²: the variance of the levels.",
      inverse_difference_moment: "f5 = Σ p / (1 + (i − j)²): large where neighbours are alike.",
      sum_average: "f6 = Σ k p₊(k): the mean of i + j.",
      sum_variance: "f7 = Σ (k − f6)² p₊(k): the variance of i + j.",
      sum_entropy: "f8: the entropy of i + j.",
      entropy: "f9 = −Σ p log p: how evenly pairs of levels are spread.",
      difference_variance: "f10: the variance of |i − j|.",
      difference_entropy: "f11: the entropy of |i − j|.",
      info_correlation_1: "f12 = (HXY − HXY1) / max(HX, HY): 0 where neighbours are independent, −1 where one determines the other.",
      info_correlation_2: "f13 = √(1 − exp(−2 (HXY2 − HXY))): 0 where neighbours are independent.",
      max_correlation_coefficient: "f14: the square root of the second largest eigenvalue of Q(i, j) = Σₖ p(i, k) p(j, k) / " +
        "(pₓ(i) pᵧ(k)).",
      joint_maximum: "max p: the share of the most frequent pair.",
      joint_average: "μ: the mean level.",
      difference_average: "Σ k p₋(k): the mean of |i − j|.",
      dissimilarity: "Σ |i − j| p: the mean absolute difference of neighbours.",
      inverse_difference: "Σ p / (1 + |i − j|).",
      inverse_difference_normalised: "Σ p / (1 + |i − j| / N).",
      inverse_difference_moment_normalised: "Σ p / (1 + (i − j)² / N²).",
      inverse_variance: "Σ p / (i − j)² over i ≠ j.",
      autocorrelation: "Σ i j p.",
      cluster_tendency: "Σ (i + j − 2μ)² p.",
      cluster_shade: "Σ (i + j − 2μ)³ p: skewness of i + j.",
      cluster_prominence: "Σ (i + j − 2μ)⁴ p.",
    },
    classify: {
      predicted: "The class of the model whose histograms are most similar.",
      score: "How well the predicted class fits: the log-likelihood of the image's histograms, or with chi2 and g a distance.",
      second: "The class that fits second best.",
      margin: "The distance between the scores of the best class and the second: the smaller, the more doubtful.",
    },
    train: {
      samples: "The number of images of the class.",
      pixels: "The number of pixels that the first operator codes.",
    },
    compress: {
      quality: "The quality that was asked for, 1 to 100.",
      asked_bpp: "The bits per pixel that were asked for, as the most.",
      asked_psnr: "The PSNR that was asked for, as the least, in decibels.",
      bytes: "The bytes of the stream.",
      bpp: "Bits per pixel of the image: 8 × bytes of the stream / pixels.",
      ratio: "How many times smaller the stream is than the pixels.",
      input_bytes: "The bytes of the file that was read.",
      psnr: "How close the decoded image is: 10 log₁₀(peak² / mean squared difference), in decibels.",
    },
    compare: {
      other: "The image that it was compared with.",
      mse: "The mean squared difference of the pixels.",
      max_difference: "The largest difference of a pixel.",
      peak: "The range of values that PSNR and SSIM refer to.",
      other_bytes: "The bytes of the other file.",
      other_bpp: "Bits per pixel of the other file.",
    },
    decompress: {
      coded_shape: "The rows × columns of the image that was coded.",
      iterations: "How many times the transforms were applied.",
      bytes: "The bytes of the stream.",
    },
    upscale: { scale: "How many times larger each side is." },
    ifs: { maps: "The number of maps of the system.", set: "The number of pixels on the attractor." },
    info: {
      format: "The format of the file.",
      min: "The least value of a pixel.",
      max: "The largest value of a pixel.",
      nan: "The number of pixels that are not a number.",
      infinite: "The number of infinite pixels.",
      distinct: "The number of values that occur.",
      spacing: "The distance between pixels along each axis, the slowest first.",
      unit: "The unit of the spacing.",
      page: "The page, from 0; −1: all pages, read as a volume.",
      pages: "The number of pages.",
      level: "The level of the image pyramid; 0 is full resolution.",
      channel: "The channel, from 0; −1: the luma of red, green and blue.",
      channels: "The number of channels.",
      levels: "The number of levels of the image pyramid.",
      nodata: "The value of pixels without data.",
      partition: "How the image is divided into blocks.",
      range_min: "The smallest side of a block in pixels.",
      range_max: "The largest side of a block in pixels.",
      domain_step: "Pixels from one domain to the next.",
      domain_wrap: "Whether domains go on at the opposite edge.",
      residual: "Whether the stream also codes what the transforms miss.",
      quantiser_step: "The step of the residual, in grey levels.",
      iterations: "How many times the decoder applies the transforms.",
      deblocked: "Whether edges of blocks are smoothed.",
      lossless: "Whether every pixel is that of the image.",
      alpha: "Whether the last plane is transparency.",
      chroma: "Whether colours have all pixels (444) or half as many along each side (420).",
      progressive: "Whether a small picture comes first.",
      tile: "The rows × columns of the tiles, which are coded on their own.",
      format_version: "The version of the stream's format.",
    },
  };

  /* Names of other schemes for the same features. */
  const same = {
    joint_variance: "variance", joint_entropy: "entropy", information_correlation_1: "info_correlation_1",
    information_correlation_2: "info_correlation_2", normalised_inverse_difference: "inverse_difference_normalised",
    normalised_inverse_difference_moment: "inverse_difference_moment_normalised", JointEnergy: "angular_second_moment",
    Contrast: "contrast", Correlation: "correlation", SumSquares: "variance", Idm: "inverse_difference_moment",
    SumAverage: "sum_average", SumEntropy: "sum_entropy", JointEntropy: "entropy", DifferenceVariance: "difference_variance",
    DifferenceEntropy: "difference_entropy", Imc1: "info_correlation_1", Imc2: "info_correlation_2",
    MCC: "max_correlation_coefficient", MaximumProbability: "joint_maximum", JointAverage: "joint_average",
    DifferenceAverage: "difference_average", Id: "inverse_difference", Idn: "inverse_difference_normalised",
    Idmn: "inverse_difference_moment_normalised", InverseVariance: "inverse_variance", Autocorrelation: "autocorrelation",
    ClusterTendency: "cluster_tendency", ClusterShade: "cluster_shade", ClusterProminence: "cluster_prominence",
  };

  const statuses = {
    ok: "nothing is in doubt",
    empty: "there is nothing to measure",
    "too few sizes": "fewer than three box sizes are left for the fit",
    "no scaling range": "no three box sizes have about the same local slope",
    "near-empty boxes": "a few nearly empty boxes decide the result",
    doubtful: "the fit covers fewer than five box sizes or less than a decade",
    "no boxes": "the box is larger than the image",
    "no pairs": "no two pixels of the region lie at this offset",
    flat: "all pixels are equal, and some features are not defined",
    "no pixels": "no pixel has a code",
    "all ruled out": "every class lacks a pattern of the image",
    "others ruled out": "every other class lacks a pattern of the image",
  };

  /** What a column means, or null. @param variant  "gray" or "alpha", where a command has two tables */
  function column(command, name, variant) {
    const bin = /^bin_(\d+)$/.exec(name);
    if (bin) return "The number of pixels with code " + bin[1] + ", or with --normalize their share.";
    const set = sets[command] || {};
    return (variant && sets[variant] && sets[variant][name]) || set[name] || set[same[name]] || all[name] || null;
  }

  /** The columns that a command has of its own, in their order. */
  const names = (command) => Object.keys(sets[command] || {});

  return { column, names, status: (name) => statuses[name] || null };
})();
