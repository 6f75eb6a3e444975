import { lauxlib, lua, lualib, to_luastring } from 'fengari';

type State = ReturnType<typeof lauxlib.luaL_newstate>;

export interface LuaOptions {
  /** Seconds since 1970, for scripts that ask. */
  readonly now?: number;
  /** Whether the string library is there: Argo CD has it only where `useOpenLibs` says so, and never for actions. */
  readonly strings?: boolean;
}

/**
 * A script as Argo CD runs it: the object is the global `obj`, there are the base and table libraries and a clock, and what the
 * script returns comes back as JSON. A table without members comes back as an empty object. It is read once, for reading takes
 * longer than running; our scripts keep nothing in globals.
 *
 * Argo CD has Lua 5.1; this is a 5.3, so scripts are also checked for what 5.1 has not (`not-in-5-1.ts`).
 */
export function luaScript(script: string, { now = 0, strings = false }: LuaOptions = {}): (obj: unknown) => unknown {
  const state = lauxlib.luaL_newstate();
  const open = {
    _G: lualib.luaopen_base,
    table: lualib.luaopen_table,
    ...(strings && { string: lualib.luaopen_string }),
  };
  for (const [name, library] of Object.entries(open)) {
    lauxlib.luaL_requiref(state, to_luastring(name), library, 1);
    lua.lua_pop(state, 1);
  }
  lua.lua_newtable(state);
  lua.lua_pushstring(state, to_luastring('time'));
  lua.lua_pushcfunction(state, (inner) => {
    lua.lua_pushinteger(inner, now);
    return 1;
  });
  lua.lua_rawset(state, -3);
  lua.lua_setglobal(state, to_luastring('os'));
  const code = to_luastring(script);
  if (lauxlib.luaL_loadbuffer(state, code, code.length, to_luastring('script')) !== lua.LUA_OK) throw luaError(state);
  return (obj) => {
    push(state, obj);
    lua.lua_setglobal(state, to_luastring('obj'));
    lua.lua_pushvalue(state, 1);
    if (lua.lua_pcall(state, 0, 1, 0) !== lua.LUA_OK) throw luaError(state);
    const result = read(state, -1);
    lua.lua_settop(state, 1);
    return result;
  };
}

function luaError(state: State): Error {
  return new Error(lua.lua_tojsstring(state, -1));
}

function push(state: State, value: unknown): void {
  if (typeof value === 'string') lua.lua_pushstring(state, to_luastring(value));
  else if (typeof value === 'boolean') lua.lua_pushboolean(state, value);
  else if (typeof value === 'number') {
    if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) lua.lua_pushinteger(state, value);
    else lua.lua_pushnumber(state, value);
  } else if (typeof value !== 'object' || value === null) lua.lua_pushnil(state);
  else if (Array.isArray(value)) {
    lua.lua_newtable(state);
    for (const [index, one] of value.entries()) {
      push(state, one);
      lua.lua_rawseti(state, -2, index + 1);
    }
  } else {
    lua.lua_newtable(state);
    for (const [name, one] of Object.entries(value)) {
      lua.lua_pushstring(state, to_luastring(name));
      push(state, one);
      lua.lua_rawset(state, -3);
    }
  }
}

function read(state: State, index: number): unknown {
  switch (lua.lua_type(state, index)) {
    case lua.LUA_TBOOLEAN:
      return lua.lua_toboolean(state, index);
    case lua.LUA_TNUMBER:
      return lua.lua_tonumber(state, index);
    case lua.LUA_TSTRING:
      return lua.lua_tojsstring(state, index);
    case lua.LUA_TTABLE:
      return readTable(state, lua.lua_absindex(state, index));
    default:
      return undefined;
  }
}

function readTable(state: State, table: number): unknown {
  const entries: [string | number, unknown][] = [];
  lua.lua_pushnil(state);
  while (lua.lua_next(state, table) !== 0) {
    const key =
      lua.lua_type(state, -2) === lua.LUA_TNUMBER ? lua.lua_tonumber(state, -2) : lua.lua_tojsstring(state, -2);
    entries.push([key, read(state, -1)]);
    lua.lua_pop(state, 1);
  }
  const isList = entries.length > 0 && entries.every(([key]) => typeof key === 'number');
  return isList ? entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, one]) => one) : Object.fromEntries(entries);
}
