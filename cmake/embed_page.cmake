# cmake -DGZIP=gzip -DFROM=web/dist -DTO=build/page -P embed_page.cmake
# Compresses every file below FROM and writes TO/page_files.cc, a table that includes the bytes as
# they are. The same files give the same table: names are sorted, no time goes in.
file(GLOB_RECURSE files RELATIVE ${FROM} ${FROM}/*)
list(SORT files)
set(bytes "")
set(names "")
set(rows "")
set(number 0)
foreach(file IN LISTS files)
  if(NOT file MATCHES "^[A-Za-z0-9_./-]+$")
    message(FATAL_ERROR "web/dist/${file}: a file of the page is named by letters, digits, . _ -")
  endif()
  string(REGEX MATCH "[a-z0-9]+$" extension "${file}")
  set(type_html "text/html; charset=utf-8")
  set(type_js "text/javascript; charset=utf-8")
  set(type_css "text/css; charset=utf-8")
  set(type_svg "image/svg+xml")
  set(type_png "image/png")
  set(type_ico "image/x-icon")
  set(type_json "application/json")
  set(type_webmanifest "application/manifest+json")
  set(type_woff2 "font/woff2")
  set(type_txt "text/plain; charset=utf-8")
  if(NOT DEFINED type_${extension})
    message(FATAL_ERROR "web/dist/${file}: cmake/embed_page.cmake has no content type for this")
  endif()
  file(SHA256 ${FROM}/${file} hash)
  string(SUBSTRING ${hash} 0 32 hash)
  set(packed ${TO}/${hash}.gz)
  execute_process(COMMAND ${GZIP} -n -9 -c ${FROM}/${file} OUTPUT_FILE ${packed}
                  COMMAND_ERROR_IS_FATAL ANY)
  set(path "/${file}")
  if(file STREQUAL "index.html")
    set(path "/")
  endif()
  string(APPEND bytes
    "__asm__(\".section .rodata\\n.balign 16\\n\"\n"
    "        \".globl tollgate_page_${number}\\ntollgate_page_${number}:\\n.incbin \\\"${packed}\\\"\\n\"\n"
    "        \".globl tollgate_page_${number}_end\\ntollgate_page_${number}_end:\\n.byte 0\\n.previous\\n\");\n")
  string(APPEND names
    "extern \"C\" const char tollgate_page_${number}[];\n"
    "extern \"C\" const char tollgate_page_${number}_end[];\n")
  string(APPEND rows
    "    {\"${path}\", \"${type_${extension}}\", \"\\\"${hash}\\\"\",\n"
    "     tollgate_page_${number}, tollgate_page_${number}_end},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${TO}/page_files.cc "// Made by cmake/embed_page.cmake from web/dist.
#include \"server/page_files.h\"

${bytes}
${names}
namespace tollgate::server {
namespace {

const PageFile kFiles[] = {
${rows}};

}  // namespace

std::span<const PageFile> page_files() { return kFiles; }

}  // namespace tollgate::server
")
