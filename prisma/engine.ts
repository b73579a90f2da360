import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'

// Missing from the types of Node.
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, object>,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>
}

const schemaDir = join(import.meta.dirname, 'schema')

type SchemaFile = { path: string; content: string }

/** Prisma manages all tables and enums. */
export const everything = { externalTables: [], externalEnums: [] }

/** Reads the `.prisma` files of the schema, ordered by name. */
export async function readSchema(): Promise<SchemaFile[]> {
  const names = (await readdir(schemaDir)).filter((name) => name.endsWith('.prisma')).sort()
  return Promise.all(
    names.map(async (name) => {
      const path = join(schemaDir, name)
      return { path, content: await readFile(path, 'utf8') }
    }),
  )
}

/**
 * Loads Prisma's migration engine, which development needs to write the SQL of a migration. It downloads nothing.
 * NOTE: it leaves a timer running for 10 s, so its process must call `process.exit`.
 */
export async function loadSchemaEngine(
  adapter: SqlMigrationAwareDriverAdapterFactory,
  schema: SchemaFile[],
): Promise<bindings.SchemaEngine> {
  // The engine reports the reason of a crash here.
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
