import { describe, expect, it } from 'vitest'
import { invalidatedKeysOf } from './cache-keys.ts'
import { getEditionId } from './edition-id.ts'

describe('invalidatedKeysOf', () => {
  it('contains the memos, the day, the archive, the lists of the shell and the feeds', () => {
    expect(invalidatedKeysOf(getEditionId('11-20-26-10AM'))).toEqual([
      'edition:11-20-26-10AM',
      'times:11-20-26',
      'archive',
      'start',
      'feeds',
    ])
  })
})
