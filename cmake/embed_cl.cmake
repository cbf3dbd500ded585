# rugose_embed_cl(TARGET FILE.cl...): makes each file part of a target, as the
# `const rugi_ocl_source rugi_cl_FILE` that src/ocl/ocl.h describes. The C file is written when CMake
# runs, which the build does again when a .cl file has changed.
function(rugose_embed_cl target)
  foreach(path ${ARGN})
    get_filename_component(path ${path} ABSOLUTE)
    get_filename_component(file ${path} NAME)
    get_filename_component(name ${path} NAME_WE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} bytes HEX)
    string(LENGTH "${bytes}" n_bytes)
    math(EXPR n_bytes "${n_bytes} / 2")
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes "${bytes}")
    set(embedded ${CMAKE_CURRENT_BINARY_DIR}/${name}_cl_text.c)
    file(CONFIGURE OUTPUT ${embedded} @ONLY CONTENT
"/* Made of @file@ by cmake/embed_cl.cmake. */
#include \"ocl/ocl.h\"
extern const rugi_ocl_source rugi_cl_@name@;
static const unsigned char text[] = {
@bytes@0};
const rugi_ocl_source rugi_cl_@name@ = {\"@file@\", (const char *)text, @n_bytes@};
")
    target_sources(${target} PRIVATE ${embedded})
  endforeach()
endfunction()
