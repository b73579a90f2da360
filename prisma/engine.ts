import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'

// Node has it; its type package does not declare it.
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, object>,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>
}

/** Prisma's own migration engine, as the WebAssembly package has it. */
export type SchemaEngine = bindings.SchemaEngine

/** One `.prisma` file: where it is and what it says. */
export type SchemaFile = { path: string; content: string }

/** No tables or enums are outside Prisma's care. */
export const everything = { externalTables: [], externalEnums: [] }

/**
 * Prisma's migration engine over a database adapter. Nothing is downloaded.
 * NOTE: it leaves a timer behind that keeps a process alive for 10 s: use it in a process that exits by itself.
 */
export async function loadSchemaEngine(
  adapter: SqlMigrationAwareDriverAdapterFactory,
  schema: SchemaFile[],
): Promise<SchemaEngine> {
  // The engine names the reason of a crash here, then stops.
  Reflect.set(globalThis, 'PRISMA_WASM_PANIC_REGISTRY', { set_message: console.error })
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const bytes = await readFile(join(dirname(entry), 'schema_engine_bg.wasm'))
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': bindings })
  bindings.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return bindings.SchemaEngine.new(
    { datamodels: schema.map((file) => [file.path, file.content]) },
    () => {},
    bindMigrationAwareSqlAdapterFactory(adapter),
  )
}
