import { z } from 'zod'
import type { Sql } from './database.ts'

export const idRowSchema = z.object({ id: z.string() })
export const countRowSchema = z.object({ count: z.int() })

/** Returns a template tag that runs a query and parses each row. It throws if a row doesn't match the schema. */
export function queryRows<Row>(db: Sql, schema: z.ZodType<Row>) {
  return async (sql: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> => {
    const rows = await db.$queryRaw(sql, ...values)
    return rows.map((row) => {
      const { data, error } = schema.safeParse(row)
      if (error !== undefined)
        throw new Error('A row of a query does not match its schema.', { cause: error })
      return data
    })
  }
}
