import { PrismaPg } from '@prisma/adapter-pg'
import {
  ColumnTypeEnum,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils'
import type pg from 'pg'

const charOid = 18
const textOid = 25

/**
 * Returns Prisma's adapter with support for the type "char" of PostgreSQL's catalog, which the engine needs to describe
 * a database.
 */
export function describingAdapter(pool: pg.Pool): SqlMigrationAwareDriverAdapterFactory {
  // The adapter passes the rows on unchanged, so they identify the result that they came from.
  const charColumns = new WeakMap<object, number[]>()
  const factory = new PrismaPg(renamingChars(pool, charColumns))
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connectToShadowDb: () => factory.connectToShadowDb(),
    async connect() {
      const adapter = await factory.connect()
      const queryRaw = adapter.queryRaw.bind(adapter)
      adapter.queryRaw = async (query: SqlQuery) => {
        const result = await queryRaw(query)
        for (const index of charColumns.get(result.rows) ?? []) {
          result.columnTypes[index] = ColumnTypeEnum.Character
        }
        return result
      }
      return adapter
    },
  }
}

/** Returns the pool with "char" columns declared as text, because the adapter rejects unknown types. */
function renamingChars(pool: pg.Pool, charColumns: WeakMap<object, number[]>) {
  async function query(config: pg.QueryConfig) {
    const result = await pool.query(config)
    const found = result.fields.flatMap((field, index) => (field.dataTypeID === charOid ? [index] : []))
    for (const index of found) Object.assign(result.fields[index] ?? {}, { dataTypeID: textOid })
    charColumns.set(result.rows, found)
    return result
  }
  return new Proxy(pool, {
    get: (target, property) => (property === 'query' ? query : Reflect.get(target, property, target)),
  })
}
