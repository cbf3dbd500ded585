# What runs in browsers, on librugose as WebAssembly: `emcmake cmake -S . -B build/web -G Ninja -DRUGOSE_WEB=ON`.
if(NOT EMSCRIPTEN)
  message(FATAL_ERROR "RUGOSE_WEB needs the compiler of Emscripten; configure with emcmake, as ./bootstrap web does")
endif()
add_compile_options(-msimd128)
set(RUGOSE_HAVE_AVX2 OFF)
set(RUGOSE_HAVE_AVX512 OFF)
set(RUGOSE_OPENCL_INCLUDE "")
add_subdirectory(src)
# They are compiled once, for the module with threads and for the one without.
target_compile_options(rugose_objects PRIVATE -pthread)
foreach(room module worker page)
  if(EXISTS ${PROJECT_SOURCE_DIR}/web/${room}/CMakeLists.txt)
    add_subdirectory(web/${room} ${PROJECT_BINARY_DIR}/${room})
  endif()
endforeach()

# Tests, beside the program of another build: of the modules in Node, of the page in a browser.
set(RUGOSE_WEB_BESIDE ${PROJECT_SOURCE_DIR}/build/release CACHE PATH "the build whose program the tests compare with")
enable_testing()
set(web_program ${RUGOSE_WEB_BESIDE}/cli/rugose)
file(GLOB web_suites CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/web/*.test.mjs)
foreach(path ${web_suites})
  get_filename_component(name ${path} NAME_WE)
  add_test(NAME web/${name} COMMAND ${RUGOSE_NODE} --test ${path})
  set_tests_properties(web/${name} PROPERTIES ENVIRONMENT
    "RUGOSE=${web_program};RUGOSE_WEB=${PROJECT_BINARY_DIR};TOOLS=${RUGOSE_WEB_BESIDE}/tests/web")
endforeach()
foreach(name rugose_page image_and_plot page_tabs many_files)
  add_test(NAME web/${name} COMMAND python3 ${PROJECT_SOURCE_DIR}/tests/page/${name}.py ${web_program}
    ${PROJECT_SOURCE_DIR}/tests/data ${PROJECT_BINARY_DIR}/rugose.html)
  set_tests_properties(web/${name} PROPERTIES SKIP_RETURN_CODE 77 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
endforeach()
