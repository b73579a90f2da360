import { describe, expect, it } from 'vitest'
import { wireMemo } from '#testing/api-handlers.ts'
import { sourceHost, toMemo } from './memo.ts'

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

describe('the host of a source', () => {
  it.each([
    ['https://www.bbc.com/news/1', 'bbc.com'],
    ['http://news.example:8080/', 'news.example'],
    ['https://', null],
    ['', null],
  ])('%s is %s', (source, host) => {
    expect(sourceHost({ ...toMemo(wireMemo({ title: 'Harbour opens' })), source })).toBe(host)
  })
})
