import { describe, expect, it } from 'vitest'
import { ApiError } from '#lib/api/call.ts'
import { draftEdition, draftMemo } from './draft-edition.fixture.ts'
import { currentOf, describeChange } from './stale-edition.ts'

const now = new Date('2026-11-20T23:00:10Z')

describe('an edition that has changed since it was seen', () => {
  it('is told with who changed which memo, and when', () => {
    const current = { ...draftEdition, version: 4, memos: [{ ...draftMemo, version: 2 }] }
    expect(describeChange(draftEdition, current, now)).toEqual({
      text: 'Mara Lind changed memo 1, 10 s ago. Look again.',
      changes: ['Changed: “A dam is taken down”'],
    })
  })

  it('is told with everything that is new, deleted or decided', () => {
    const added = { ...draftMemo, id: '0193a000-0000-7000-8000-000000000002', position: 2, title: '' }
    const current = { ...draftEdition, version: 6, status: 'scheduled' as const, memos: [added] }
    expect(describeChange(draftEdition, current, now)).toEqual({
      text: 'Mara Lind changed it. Look again.',
      changes: ['It is scheduled now.', 'New: memo 2', 'Deleted: “A dam is taken down”'],
    })
  })

  it('comes with the refusal of a change', () => {
    const error = { code: 'version-conflict', message: 'It has changed.' }
    const refusal = new ApiError(409, error, { error: { ...error, current: draftEdition } })
    expect(currentOf(refusal)).toEqual(draftEdition)
    expect(currentOf(new Error('No reply'))).toBeNull()
  })
})
