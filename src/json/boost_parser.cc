// The compiled parts of Boost.JSON that its event parser needs, and no others.
// Beside parse.cc, the only file that knows Boost.JSON. The library itself is one object, which
// brings stream operators, and with them iostream and locale, into every program.
#define BOOST_JSON_SOURCE

#include <boost/json/basic_parser.hpp>
#include <boost/json/detail/impl/default_resource.ipp>
#include <boost/json/detail/impl/stack.ipp>
#include <boost/json/impl/error.ipp>
