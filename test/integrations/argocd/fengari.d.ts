/** What is used of fengari, a Lua virtual machine in JavaScript, which has no types of its own. */
declare module 'fengari' {
  type State = { readonly luaState: unique symbol };
  type Bytes = Uint8Array;
  type NativeFunction = (state: State) => number;
  export const to_luastring: (text: string) => Bytes;
  export const to_jsstring: (bytes: Bytes) => string;
  export const lauxlib: {
    luaL_newstate(): State;
    luaL_requiref(state: State, name: Bytes, open: NativeFunction, global: 0 | 1): void;
    luaL_loadbuffer(state: State, code: Bytes, size: number, name: Bytes): number;
  };
  export const lualib: {
    luaopen_base: NativeFunction;
    luaopen_table: NativeFunction;
    luaopen_string: NativeFunction;
  };
  export const lua: {
    readonly LUA_OK: number;
    readonly LUA_TNIL: number;
    readonly LUA_TBOOLEAN: number;
    readonly LUA_TNUMBER: number;
    readonly LUA_TSTRING: number;
    readonly LUA_TTABLE: number;
    lua_pushvalue(state: State, index: number): void;
    lua_settop(state: State, index: number): void;
    lua_pop(state: State, count: number): void;
    lua_pcall(state: State, args: number, results: number, handler: number): number;
    lua_type(state: State, index: number): number;
    lua_absindex(state: State, index: number): number;
    lua_newtable(state: State): void;
    lua_next(state: State, index: number): number;
    lua_rawset(state: State, index: number): void;
    lua_rawseti(state: State, index: number, key: number): void;
    lua_setglobal(state: State, name: Bytes): void;
    lua_pushnil(state: State): void;
    lua_pushboolean(state: State, value: boolean): void;
    lua_pushinteger(state: State, value: number): void;
    lua_pushnumber(state: State, value: number): void;
    lua_pushstring(state: State, value: Bytes): void;
    lua_pushcfunction(state: State, call: NativeFunction): void;
    lua_toboolean(state: State, index: number): boolean;
    lua_tonumber(state: State, index: number): number;
    lua_tojsstring(state: State, index: number): string;
  };
}
