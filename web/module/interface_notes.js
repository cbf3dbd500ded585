// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// What the headers of librugose do not say in a form that describe.mjs could read: which of them rugose.js has,
// what a result holds, and what pointers point to.

/** The headers that rugose.js has, in the order in which they build on each other. */
export const HEADERS = ["status", "version", "context", "image", "points", "foreground", "source", "fit", "regions", "boxcount",
  "boxcount_labels", "dbc", "lacunarity", "lbp", "lbp_model", "multifractal", "multifractal_alpha", "glcm", "glcm_maps",
  "glcm_matrix", "ifs", "ifs_draw", "ifs_paper", "quality"];

const files = "a page has no files";
const parts = "an image of a page comes as a whole";
const own = "rugose.js does it by itself";

/** Headers that rugose.js does not have, and why. */
export const HEADERS_LEFT_OUT = {
  rugose: "holds the others", export: "declares nothing", io: files, file: files, bytes: files, ifs_file: files,
  lbp_file: files, picture: files, image_writer: files, point_file: files, volume_writer: files,
  devices: "WebAssembly has no OpenCL", values: parts, alpha_parts: parts, boxcount_parts: parts, dbc_parts: parts,
  glcm_parts: parts, lacunarity_parts: parts, lbp_parts: parts, points_parts: parts,
};

/** Functions of the other headers that rugose.js does not have, and why. */
export const LEFT_OUT = {
  rug_context_new: own, rug_context_free: own, rug_context_error: own, rug_context_fail: own, rug_context_warn: own,
  rug_context_step: own, rug_context_allocate: own, rug_context_release: own, rug_context_set_allocator: own,
  rug_context_set_progress: own, rug_context_set_cancel: own, rug_context_set_warn: own, rug_context_engine: own,
  rug_context_set_threads: own, rug_context_threads: own, rug_version: own, rug_image_view: own, rug_source_of_image: own,
  rug_context_set_device: "WebAssembly has no OpenCL", rug_context_set_cache_folder: files,
  rug_source_layers: parts, rug_masses_new: parts, rug_masses_add: parts, rug_masses_merge: parts, rug_masses_save: parts,
  rug_masses_load: parts,
};

/** How what the library owns is freed, and what it holds: a function, and how many of them there are. */
export const RESULTS = {
  rug_regions: { free: "rug_regions_free", at: ["rug_regions_at", "rug_regions_count"] },
  rug_boxcount_result: { free: "rug_boxcount_free", facts: ["rug_boxcount_get_facts"], at: ["rug_boxcount_at", "n_sizes"],
    positions: ["rug_boxcount_positions_at", "n_sizes"] },
  rug_dbc_result: { free: "rug_dbc_free", facts: ["rug_dbc_get_facts"], at: ["rug_dbc_at", "n_sizes"] },
  rug_lacunarity_result: { free: "rug_lacunarity_free", facts: ["rug_lacunarity_get_facts"], at: ["rug_lacunarity_at", "n_sizes"] },
  rug_lbp_result: { free: "rug_lbp_free", facts: ["rug_lbp_get_facts"], at: ["rug_lbp_at", "n_histograms"] },
  rug_lbp_model: { free: "rug_lbp_model_free" },
  rug_lbp_variances: { free: "rug_lbp_variances_free" },
  rug_masses: { free: "rug_masses_free", facts: ["rug_masses_get_facts"] },
  rug_multifractal_result: { free: "rug_multifractal_free", facts: ["rug_multifractal_get_facts"],
    at: ["rug_multifractal_at", "n_orders"] },
  rug_alpha_result: { free: "rug_alpha_free", facts: ["rug_alpha_get_facts"], at: ["rug_alpha_at", "n_slices"] },
  rug_ifs_code: { free: "rug_ifs_code_free", at: ["rug_ifs_code_at", "rug_ifs_code_count"] },
};

/** Structs whose memory the library owns. */
export const FREED = { rug_ifs_stream: "rug_ifs_stream_free", rug_ifs_picture: "rug_ifs_picture_free" };

const planes = { kind: "images", count: "n_planes" };
const address = { kind: "u32" };
const bins = { kind: "array", of: "u64", length_of: "rug_lbp_model_n_bins" };

/** Members, arguments and results of pointers: "struct.member", "function(argument)", "function()". */
export const ROLES = {
  "rug_image.data": address,
  "rug_points.data": address,
  "rug_source.read": address,
  "rug_source.user": address,
  "rug_lbp_rows.codes": { kind: "array", of: "dtype", counts: ["n", "nx"] },
  "rug_lbp_sample.bins": bins,
  "rug_lbp_options.map": { kind: "callback", of: "rug_lbp_map_fn", user: "map_user" },
  "rug_lbp_options.map_user": { kind: "said" },
  "rug_ifs_notes.icc": { kind: "array", of: "u8", count: "icc_size" },
  "rug_ifs_decode_options.user": { kind: "said" },
  "rug_alpha_map_rows.alpha": { kind: "array", of: "f32", counts: ["n", "nx"] },
  "rug_glcm_map_rows.values": { kind: "array", of: "f64", counts: ["n", "nx"] },
  "rug_glcm_matrix.counts": { kind: "array", of: "u64", counts: ["n_levels", "n_levels"] },
  "rug_ifs_picture.pixels": { kind: "array", of: "dtype", counts: ["n_planes", "ny", "nx"] },
  "rug_ifs_stream.bytes": { kind: "array", of: "u8", count: "size" },
  "rug_foreground_flags(out)": { kind: "out_array", of: "u8", pixels: "image" },
  "rug_foreground_format(text)": { kind: "out_text", length: 40 },
  "rug_alpha_map(out)": { kind: "out_array", of: "f32", pixels: "image" },
  "rug_glcm_direction(out)": { kind: "out_array", of: "i32", length: 3 },
  "rug_glcm_matrices_at(offsets)": { kind: "array", of: "i32", count: "n_offsets", width: 3 },
  "rug_glcm_matrix_features(features)": { kind: "out_array", of: "f64", length: 26, count: "n_features" },
  "rug_glcm_matrix_features(counts)": { kind: "array", of: "u64", count: "n_levels", square: true },
  "rug_lbp_model_add_bins(bins)": bins,
  "rug_lbp_model_classify_bins(bins)": bins,
  "rug_lbp_variances_cuts(cuts)": { kind: "out_array", of: "f64", room: "n_bins", used: "n_cuts" },
  "rug_multifractal_moments(out)": { kind: "out_array", of: "rug_moments", rows: "q" },
  "rug_masses_boxes(n)": { kind: "out_count" },
  "rug_masses_boxes()": { kind: "array", of: "rug_mass_boxes", count: "n" },
  "rug_regions_runs(n_runs)": { kind: "out_count" },
  "rug_regions_runs()": { kind: "array", of: "rug_region_run", count: "n_runs" },
  "rug_ifs_compress(planes)": planes,
  "rug_ifs_measure_transforms(planes)": planes,
  "rug_ifs_upscale(planes)": planes,
  "rug_quality(a)": planes,
  "rug_quality(b)": planes,
};
