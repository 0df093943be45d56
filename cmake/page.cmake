# The page of web/dist as part of the program: every file compressed once, at build time.
# Needs gzip and no Node: what web/ builds is committed. cmake/embed_page.cmake does the work.
find_program(TOLLGATE_GZIP gzip REQUIRED DOC "compresses the page that is built in")
if(NOT EXISTS ${CMAKE_SOURCE_DIR}/web/dist/index.html)
  message(FATAL_ERROR "web/dist/index.html is missing: the built page belongs to the source")
endif()
file(GLOB_RECURSE TOLLGATE_PAGE CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/web/dist/*)
set(page_table ${CMAKE_BINARY_DIR}/page/page_files.cc)
add_custom_command(
  OUTPUT ${page_table}
  COMMAND ${CMAKE_COMMAND} -DGZIP=${TOLLGATE_GZIP} -DFROM=${CMAKE_SOURCE_DIR}/web/dist
          -DTO=${CMAKE_BINARY_DIR}/page -P ${CMAKE_SOURCE_DIR}/cmake/embed_page.cmake
  DEPENDS ${TOLLGATE_PAGE} ${CMAKE_SOURCE_DIR}/cmake/embed_page.cmake
  COMMENT "Compressing the page"
  VERBATIM)
target_sources(server PRIVATE ${page_table})
