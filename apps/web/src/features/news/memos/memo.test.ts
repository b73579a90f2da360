import { describe, expect, it } from 'vitest'
import { wireMemo } from '#testing/api-handlers.ts'
import { toMemo } from './memo.ts'

describe('toMemo', () => {
  it('maps the wire names to our own terms', () => {
    const memo = toMemo(
      wireMemo({ title: 'Harbour opens', media: 'a.jpg', media_title: 'Low tide', counter: 3 }),
    )
    expect(memo).toMatchObject({ title: 'Harbour opens', picture: 'a.jpg', caption: 'Low tide', likes: 3 })
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', '//elsewhere.example'])(
    'drops the source %s',
    (source) => {
      expect(toMemo(wireMemo({ title: 'A', source })).source).toBe('')
    },
  )
})
