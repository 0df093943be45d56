// The files of the page, as they were built into this program: compressed, with a name for each
// content. cmake/embed_page.cmake makes the table from web/dist.
// SAFETY: anybody may have these files; whatever is somebody's stays out of web/dist.
#pragma once

#include <span>
#include <string_view>

namespace tollgate::server {

struct PageFile {
  std::string_view path;  // as it is asked for; "/" for index.html
  std::string_view type;
  std::string_view etag;  // with its quotation marks
  const char* begin;      // gzip
  const char* end;
};

std::span<const PageFile> page_files();

}  // namespace tollgate::server
