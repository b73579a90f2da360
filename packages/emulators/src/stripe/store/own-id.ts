import { invalid } from '../protocol/errors.ts'
import type { Kind } from './records.ts'
import type { Store } from './store.ts'

/** The id that was asked for, or a new one. Throws `resource_already_exists` when it is taken. */
export function chosenId(
  store: Store,
  kind: Kind,
  { prefix, wanted }: { prefix: string; wanted: string | undefined },
): string {
  if (wanted === undefined) return store.newId(prefix)
  if (!/^[\w-]{1,200}$/.test(wanted)) {
    throw invalid(`Invalid id: ${wanted}. Ids consist of letters, digits, dashes and underscores.`, {
      param: 'id',
    })
  }
  if (!store.of(kind).find(wanted)) return wanted
  const noun = kind[0]?.toUpperCase() + kind.slice(1)
  throw invalid(`${noun} already exists.`, { code: 'resource_already_exists', param: 'id' })
}
