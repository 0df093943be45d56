// Reads zone files as RFC 8536 describes them: version 2 or later, 64-bit times, and the footer.
// Listed transitions come first; the footer's rule carries on from there to 2100.
// SAFETY: every length is checked before it is used; a damaged file is an error.
#include "config/zones.h"

#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "base/edit_distance.h"
#include "os/files.h"
#include "os/paths.h"

namespace tollgate::config {
namespace {

constexpr std::int64_t kEnd = 4'133'980'800;  // 2101-01-01

std::int64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (char c : bytes) value = (value << 8) | static_cast<unsigned char>(c);
  if (bytes.size() == 4) return static_cast<std::int32_t>(value);
  return static_cast<std::int64_t>(value);
}

struct Header {
  std::int64_t utc_flags, wall_flags, leaps, times, types, letters;
};

// The block that starts here: header and the length of what follows it.
std::optional<Header> header_of(std::string_view bytes) {
  if (bytes.size() < 44 || !bytes.starts_with("TZif")) return std::nullopt;
  std::array<std::int64_t, 6> counts{};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] = big_endian(bytes.substr(20 + 4 * i, 4));
    if (counts[i] < 0 || counts[i] > 100'000) return std::nullopt;
  }
  return Header{counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]};
}

std::size_t length_of(const Header& h, std::int64_t width) {
  return static_cast<std::size_t>(h.times * width + h.times + h.types * 6 + h.letters +
                                  h.leaps * (width + 4) + h.wall_flags + h.utc_flags);
}

// Days since 1970 of a date in the proleptic Gregorian calendar.
std::int64_t days_from_civil(std::int64_t year, int month, int day) {
  year -= month <= 2;
  const std::int64_t era = year / 400;
  const std::int64_t of_era = year - era * 400;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

bool is_leap(std::int64_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

// One end of summer time in the footer: M3.5.0/2, J60/2 or 59/2.
struct Change {
  char kind = 'M';
  int month = 0, week = 0, day = 0;
  std::int64_t time = 7200;

  // Local seconds since 1970 at which it happens in that year.
  std::int64_t at(std::int64_t year) const {
    if (kind == 'M') {
      const std::int64_t first = days_from_civil(year, month, 1);
      const int weekday = static_cast<int>((first + 4) % 7);  // 1970-01-01 was a Thursday
      std::int64_t found = first + (day - weekday + 7) % 7 + 7 * (week - 1);
      const std::int64_t next =
          month == 12 ? days_from_civil(year + 1, 1, 1) : days_from_civil(year, month + 1, 1);
      while (found >= next) found -= 7;
      return found * 86400 + time;
    }
    const std::int64_t skipped = kind == 'J' ? day - 1 + (is_leap(year) && day >= 60) : day;
    return (days_from_civil(year, 1, 1) + skipped) * 86400 + time;
  }
};

// The footer: std offset dst offset, rule.
class Footer {
 public:
  explicit Footer(std::string_view text) : rest_(text) {}

  bool read() {
    if (!name() || !offset(standard_)) return false;
    standard_ = -standard_;
    if (rest_.empty()) return true;
    if (!name()) return false;
    summer_ = standard_ + 3600;
    if (!rest_.starts_with(',')) {
      if (!offset(summer_)) return false;
      summer_ = -summer_;
    }
    has_summer_ = true;
    return change(begin_) && change(end_) && rest_.empty();
  }

  void extend(std::vector<Zone::Offset>& offsets, std::int64_t after) const {
    if (!has_summer_) {
      add(offsets, after, standard_);
      return;
    }
    for (std::int64_t year = 1969; year <= 2101; ++year) {
      Zone::Offset on{begin_.at(year) - standard_, static_cast<std::int32_t>(summer_)};
      Zone::Offset off{end_.at(year) - summer_, static_cast<std::int32_t>(standard_)};
      if (off.from < on.from) std::swap(on, off);
      for (const Zone::Offset& each : {on, off})
        if (each.from > after && each.from < kEnd) add(offsets, each.from, each.seconds);
    }
  }

  static void add(std::vector<Zone::Offset>& offsets, std::int64_t from, std::int64_t seconds) {
    if (!offsets.empty() && offsets.back().seconds == seconds) return;
    offsets.push_back({from, static_cast<std::int32_t>(seconds)});
  }

 private:
  bool name() {
    if (rest_.starts_with('<')) {
      const std::size_t end = rest_.find('>');
      if (end == std::string_view::npos) return false;
      rest_.remove_prefix(end + 1);
      return true;
    }
    std::size_t size = 0;
    while (size < rest_.size() && ((rest_[size] | 32) >= 'a' && (rest_[size] | 32) <= 'z')) ++size;
    rest_.remove_prefix(size);
    return size >= 3;
  }

  bool number(std::int64_t& value) {
    const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (read.ec != std::errc() || value < 0 || value > 1000) return false;
    rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
    return true;
  }

  bool offset(std::int64_t& seconds) {
    const bool minus = rest_.starts_with('-');
    if (minus || rest_.starts_with('+')) rest_.remove_prefix(1);
    std::int64_t part = 0, unit = 3600;
    if (!number(part)) return false;
    seconds = part * unit;
    while (rest_.starts_with(':') && unit > 1) {
      rest_.remove_prefix(1);
      unit /= 60;
      if (!number(part)) return false;
      seconds += part * unit;
    }
    if (minus) seconds = -seconds;
    return true;
  }

  bool change(Change& into) {
    if (!rest_.starts_with(',')) return false;
    rest_.remove_prefix(1);
    into.kind = 'N';
    if (rest_.starts_with('M') || rest_.starts_with('J')) {
      into.kind = rest_.front();
      rest_.remove_prefix(1);
    }
    std::int64_t parts[3] = {};
    const int count = into.kind == 'M' ? 3 : 1;
    for (int i = 0; i < count; ++i) {
      if (i > 0 && !rest_.starts_with('.')) return false;
      if (i > 0) rest_.remove_prefix(1);
      if (!number(parts[i])) return false;
    }
    into.month = static_cast<int>(parts[0]);
    into.week = static_cast<int>(parts[1]);
    into.day = static_cast<int>(count == 3 ? parts[2] : parts[0]);
    if (into.kind == 'M' &&
        (into.month < 1 || into.month > 12 || into.week < 1 || into.week > 5 || into.day > 6))
      return false;
    if (!rest_.starts_with('/')) return true;
    rest_.remove_prefix(1);
    return offset(into.time);
  }

  std::string_view rest_;
  std::int64_t standard_ = 0;
  std::int64_t summer_ = 0;
  bool has_summer_ = false;
  Change begin_, end_;
};

Error bad_file(std::string_view name) {
  return {.code = "bad-zone-file",
          .message = "the file of time zone `" + std::string(name) + "` is damaged",
          .hint = "reinstall the system's time zone data",
          .where = {}};
}

bool is_zone_name(std::string_view name) {
  if (name.empty() || name.size() > 64 || name.front() == '/' || name.back() == '/') return false;
  for (char c : name)
    if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '/' ||
          c == '_' || c == '-' || c == '+'))
      return false;
  return true;
}

Error unknown_zone(std::string_view name, const std::string& directory) {
  std::vector<std::string> names;
  for (const std::string& path : os::walk_below(directory, 5000).paths)
    names.push_back(path.substr(directory.size() + 1));
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string near = nearest(name, known);
  return {.code = "unknown-zone",
          .message = "unknown time zone `" + std::string(name) + "`",
          .hint = near.empty() ? "use a name like Europe/Berlin or UTC"
                               : "did you mean `" + near + "`?",
          .where = {}};
}

}  // namespace

Result<Zone> read_zone(std::string_view name, std::string_view bytes) {
  const std::optional<Header> first = header_of(bytes);
  if (!first || bytes[4] < '2' || bytes.size() < 44 + length_of(*first, 4))
    return Fail(bad_file(name));
  bytes.remove_prefix(44 + length_of(*first, 4));
  const std::optional<Header> header = header_of(bytes);
  if (!header || header->types == 0 || bytes.size() < 44 + length_of(*header, 8))
    return Fail(bad_file(name));
  const auto times = static_cast<std::size_t>(header->times);
  const std::string_view moments = bytes.substr(44, times * 8);
  const std::string_view indexes = bytes.substr(44 + times * 8, times);
  const std::string_view types =
      bytes.substr(44 + times * 9, static_cast<std::size_t>(header->types) * 6);
  std::string_view footer = bytes.substr(44 + length_of(*header, 8));

  Zone zone;
  zone.name = name;
  const auto seconds_of = [&](std::size_t type) { return big_endian(types.substr(type * 6, 4)); };
  Footer::add(zone.offsets, 0, seconds_of(0));
  std::int64_t last = 0;
  for (std::size_t i = 0; i < times; ++i) {
    const std::int64_t from = big_endian(moments.substr(i * 8, 8));
    const auto type = static_cast<unsigned char>(indexes[i]);
    if (type >= header->types || (i > 0 && from <= big_endian(moments.substr(i * 8 - 8, 8))))
      return Fail(bad_file(name));
    if (from <= 0) {
      zone.offsets.assign(1, {0, static_cast<std::int32_t>(seconds_of(type))});
    } else if (from < kEnd) {
      Footer::add(zone.offsets, from, seconds_of(type));
      last = from;
    }
  }
  if (!footer.starts_with('\n') || !footer.ends_with('\n') || footer.size() < 2)
    return Fail(bad_file(name));
  footer = footer.substr(1, footer.size() - 2);
  if (footer.empty()) return zone;
  Footer rule(footer);
  if (!rule.read()) return Fail(bad_file(name));
  rule.extend(zone.offsets, last);
  return zone;
}

Result<Zone> load_zone(std::string_view name, const std::string& directory) {
  if (name == "UTC") return Zone{"UTC", {{0, 0}}};
  if (!is_zone_name(name)) return Fail(unknown_zone(name, directory));
  Result<std::string> bytes = os::read_file(directory + "/" + std::string(name), 1u << 20);
  if (!bytes) return Fail(unknown_zone(name, directory));
  if (!bytes->starts_with("TZif")) return Fail(unknown_zone(name, directory));
  return read_zone(name, *bytes);
}

}  // namespace tollgate::config
