-- Permission calls that the policy allows, each with an id of its own: a second call with an id that
-- is open is refused before anything is judged. Answers that are no allow are counted at the end.
local threads = {}
local next_id = 0
refused = 0
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Accept"] = "application/json, text/event-stream"
wrk.headers["MCP-Protocol-Version"] = "2025-11-25"

function setup(thread)
  table.insert(threads, thread)
end

function request()
  next_id = next_id + 1
  return wrk.format(nil, nil, nil, '{"jsonrpc":"2.0","id":' .. next_id ..
    ',"method":"tools/call","params":{"name":"approve","arguments":{"tool_name":"Bash","input":{"command":"make test"},"tool_use_id":"toolu_' ..
    next_id .. '"}}}')
end

function response(status, headers, body)
  if not string.find(body, "allow", 1, true) then refused = refused + 1 end
end

function done()
  local count = 0
  for _, thread in ipairs(threads) do count = count + thread:get("refused") end
  io.write("not allowed: " .. count .. "\n")
end
