-- Makes Cutover leave it alone, as `cutover pause` does. Lua 5.1 without libraries.
if type(obj.metadata.annotations) ~= "table" then obj.metadata.annotations = {} end
obj.metadata.annotations["cutover.dev/paused"] = "true"
return obj
