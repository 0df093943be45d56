// The committed schemas are what the field tables give.
// When this fails after a change of field_tables.h, copy the printed text into schema/.
// The schemas are also checked to be JSON that describes every member once.
#include "core/schema.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/codec.h"
#include "json/json.h"

namespace tollgate {
namespace {

std::string committed(const std::string& file) {
  std::ifstream in(std::string(TOLLGATE_SOURCE_DIR) + "/schema/" + file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Schema, TheCommittedTextsAreCurrent) {
  EXPECT_EQ(committed("tool-call.schema.json"), tool_call_schema());
  EXPECT_EQ(committed("decision.schema.json"), decision_schema());
}

// Every property of every object has a description.
void expect_described(const json::Value& schema) {
  if (const json::Value* properties = schema.find("properties")) {
    for (const auto& [name, property] : properties->members()) {
      EXPECT_NE(property.find("description"), nullptr) << name;
      expect_described(property);
    }
  }
  if (const json::Value* items = schema.find("items")) expect_described(*items);
}

TEST(Schema, DescribesEveryMember) {
  for (const std::string& text : {tool_call_schema(), decision_schema()}) {
    const Result<json::Value> schema = json::parse(text);
    ASSERT_TRUE(schema) << text;
    EXPECT_EQ(schema->find("$schema")->as_string(), "https://json-schema.org/draft/2020-12/schema");
    EXPECT_FALSE(schema->find("additionalProperties")->as_bool());
    expect_described(*schema);
  }
}

TEST(Schema, HasEveryMemberThatIsWritten) {
  Decision full;
  full.also.emplace_back();
  full.changes.emplace_back();
  full.suggestions = {"Bash(ls)"};
  full.approve = "any 2 of lead";
  full.quorums.emplace_back();
  full.answer = Answerer::kParent;
  full.within_ms = 0;
  full.on_timeout = OnTimeout::kForward;
  const Result<json::Value> schema = json::parse(decision_schema());
  ASSERT_TRUE(schema);
  const json::Value written = to_json(full);
  for (const auto& [name, member] : written.members())
    EXPECT_NE(schema->find("properties")->find(name), nullptr) << name;
}

}  // namespace
}  // namespace tollgate
