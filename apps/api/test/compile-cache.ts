import { join } from 'node:path'

/** Enables Node's compile cache in started processes, which halves their start time. */
export const compileCache = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../.cache/compile') }
