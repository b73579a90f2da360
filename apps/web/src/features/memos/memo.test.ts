import { describe, expect, it } from 'vitest'
import { wireMemo } from '../../testing/api-handlers.ts'
import { parseMemo } from './memo.ts'

describe('parseMemo', () => {
  it('puts the wire’s names into the site’s own', () => {
    const memo = parseMemo(
      wireMemo({ title: 'Harbour opens', media: 'a.jpg', media_title: 'Low tide', counter: 3 }),
    )
    expect(memo).toMatchObject({ title: 'Harbour opens', picture: 'a.jpg', caption: 'Low tide', likes: 3 })
  })

  it.each([null, 'text', [], {}, { _id: 'a' }, { title: 'A' }])('refuses %o', (item) => {
    expect(parseMemo(item)).toBeNull()
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', '//elsewhere.example'])(
    'drops the source %s',
    (source) => {
      expect(parseMemo(wireMemo({ title: 'A', source }))?.source).toBe('')
    },
  )
})
