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
 * Prisma's adapter, taught the one-letter type "char" of PostgreSQL's own catalogue. Without it the engine cannot read
 * what a database looks like.
 */
export function describingAdapter(pool: pg.Pool): SqlMigrationAwareDriverAdapterFactory {
  // The rows of an answer are handed on as they are, so they can carry what is known about their columns.
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
        const answer = await queryRaw(query)
        for (const index of charColumns.get(answer.rows) ?? []) {
          answer.columnTypes[index] = ColumnTypeEnum.Character
        }
        return answer
      }
      return adapter
    },
  }
}

/** The pool, its answers calling "char" a text: the adapter refuses a type that it does not know. */
function renamingChars(pool: pg.Pool, charColumns: WeakMap<object, number[]>) {
  async function query(question: pg.QueryConfig) {
    const result = await pool.query(question)
    const found = result.fields.flatMap((field, index) => (field.dataTypeID === charOid ? [index] : []))
    for (const index of found) Object.assign(result.fields[index] ?? {}, { dataTypeID: textOid })
    charColumns.set(result.rows, found)
    return result
  }
  return new Proxy(pool, {
    get: (target, property) => (property === 'query' ? query : Reflect.get(target, property, target)),
  })
}
