import { holdGroup } from '#features/secure-content/index.ts'
import type { Db } from '#platform/database.ts'
import { AppError } from '#platform/errors.ts'

/**
 * The id of the content group that an editor named by its key, which then stays until the transaction ends; null for
 * none. Throws `invalid-request` when there is no such group.
 */
export async function holdGroupNamed(tx: Db, appId: string, key: string | null): Promise<string | null> {
  if (key === null) return null
  const id = await holdGroup(tx, appId, key)
  if (id !== null) return id
  throw new AppError(
    'invalid-request',
    400,
    `group: there is no content group '${key}'; POST /desk/v1/content-groups makes one.`,
  )
}
