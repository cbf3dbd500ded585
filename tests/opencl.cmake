# Tests of OpenCL, of the runtime and of the methods' engines, below the public calls.

set(probing_tests test_ocl test_ocl_buffers test_ocl_cache test_ocl_fake)
foreach(name ${probing_tests})
  rugose_embed_cl(${name} unit/ocl/ocl_probe.cl unit/ocl/ocl_broken.cl)
endforeach()
# A library of OpenCL with the devices and failures that no test machine has.
set(fake_opencl ${CMAKE_CURRENT_BINARY_DIR}/fake_opencl)
add_library(fake_opencl SHARED support/fake_opencl.c)
set_target_properties(fake_opencl PROPERTIES OUTPUT_NAME OpenCL SOVERSION 1
  LIBRARY_OUTPUT_DIRECTORY ${fake_opencl} C_VISIBILITY_PRESET default)
target_include_directories(fake_opencl SYSTEM PRIVATE ${RUGOSE_OPENCL_INCLUDE})
target_compile_definitions(fake_opencl PRIVATE CL_TARGET_OPENCL_VERSION=120)
target_link_libraries(fake_opencl PRIVATE rugose_warnings)
file(GLOB fake_tests CONFIGURE_DEPENDS unit/*/test_*_fake.c)
foreach(source ${fake_tests})
  get_filename_component(name ${source} NAME_WE)
  set_tests_properties(unit/${name} PROPERTIES ENVIRONMENT "LD_LIBRARY_PATH=${fake_opencl}")
  add_dependencies(${name} fake_opencl)
endforeach()

# What runs kernels on a driver, which takes its time.
file(GLOB driver_tests CONFIGURE_DEPENDS unit/*/test_*_cl*.c unit/ocl/test_ocl*.c)
list(FILTER driver_tests EXCLUDE REGEX "_fake\\.c$")
foreach(source ${driver_tests})
  get_filename_component(name ${source} NAME_WE)
  set_tests_properties(unit/${name} PROPERTIES LABELS driver)
endforeach()

# Every program that engines ask for, compiled for GPUs that are not here.
add_executable(list_kernels kernels/list_kernels.c)
target_link_libraries(list_kernels PRIVATE rugose_static rugose_internals rugose_warnings)

if(NOT RUGOSE_FULL_TESTS)
  return()
endif()

add_test(NAME kernels/compile COMMAND ${checks}/kernels/check_kernels.sh $<TARGET_FILE:list_kernels>
  ${PROJECT_SOURCE_DIR}/src)
add_test(NAME kernels/can_fail COMMAND ${checks}/kernels/kernels_can_fail.sh)
set_tests_properties(kernels/compile kernels/can_fail PROPERTIES LABELS driver SKIP_RETURN_CODE 77
  TIMEOUT 300)
set_tests_properties(kernels/compile PROPERTIES COST 100) # the longest begins first

# Kernels in smaller work groups than they are written for, as PoCL can be made to have them.
foreach(name test_ocl_sort test_hou_cl test_ifs_cl test_ifs_cl_decode test_multifractal_cl)
  add_test(NAME small_groups/${name} COMMAND ${name})
  set_tests_properties(small_groups/${name} PROPERTIES
    ENVIRONMENT POCL_MAX_WORK_GROUP_SIZE=32)
endforeach()

# Kernels on a simulator that reports races and memory out of bounds: oclgrind/ROOM_kernels.c.
foreach(room ocl alpha boxcount dbc glcm ifs lbp multifractal)
  set(name ${room}_kernels)
  add_executable(${name} oclgrind/kernels_main.c oclgrind/${name}.c)
  target_include_directories(${name} PRIVATE unit)
  target_link_libraries(${name} PRIVATE test_support rugose_internals rugose_warnings Threads::Threads m)
  add_test(NAME oclgrind/${name}
    COMMAND ${checks}/oclgrind/check_oclgrind.sh $<TARGET_FILE:${name}>)
  set_tests_properties(oclgrind/${name} PROPERTIES LABELS oclgrind SKIP_RETURN_CODE 77
    TIMEOUT 300)
endforeach()

# A second driver, whose only device is another one.
find_library(RUGOSE_OCLGRIND oclgrind-rt-icd PATH_SUFFIXES oclgrind)
if(RUGOSE_OCLGRIND)
  file(CONFIGURE OUTPUT oclgrind_icd/oclgrind.icd CONTENT "${RUGOSE_OCLGRIND}\n")
  foreach(name test_ocl test_ocl_buffers test_ocl_cache)
    add_test(NAME oclgrind/${name} COMMAND ${name})
    set_tests_properties(oclgrind/${name} PROPERTIES ENVIRONMENT
      "OCL_ICD_VENDORS=${CMAKE_CURRENT_BINARY_DIR}/oclgrind_icd")
  endforeach()
else()
  message(STATUS "oclgrind is not there: OpenCL is tested with the machine's driver alone")
endif()
