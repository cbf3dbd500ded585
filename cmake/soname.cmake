# rugose_soname(VARIABLE NAME): the file of a library by which programs that are linked to it find it, such
# as libtiff.so.6. What is loaded at run time is that of the headers that were there at build time.
function(rugose_soname variable name)
  find_library(${variable}_library ${name} REQUIRED)
  file(REAL_PATH ${${variable}_library} path)
  get_filename_component(file ${path} NAME)
  string(REGEX MATCH "^.*\\.so\\.[0-9]+" soname ${file})
  if(NOT soname)
    set(soname ${file})
  endif()
  set(${variable} ${soname} PARENT_SCOPE)
endfunction()
