-- Makes the other side from the same template and moves to it, as `cutover restart` does. Lua 5.1 without libraries.
--
-- The command line counts on from the last nonce that was ever used. Here the time is as good: it is larger, and was never used.
local function larger(than, value)
  if type(value) == "number" and value >= than then return value + 1 end
  return than
end

local status = obj.status or {}
local nonce = larger(os.time(), obj.spec.template.spec.restartNonce)
if type(status.nonces) == "table" then nonce = larger(nonce, status.nonces.restart) end
obj.spec.template.spec.restartNonce = nonce
return obj
