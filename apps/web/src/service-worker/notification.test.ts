import { describe, expect, it } from 'vitest'
import { notificationOf, screenUrl } from './notification.ts'

const icons = { icon: '/static/icon.png', badge: '/static/badge.png' }
const site = 'https://news.example'
const message = {
  title: 'The ferries sail again',
  body: 'The 10AM edition',
  path: '/edition/11-26-26-10AM',
  tag: '11-26-26-10AM',
  lang: 'fr',
}

describe('the notification of a push message', () => {
  it('shows the title and the edition, without a sound', () => {
    expect(notificationOf(JSON.stringify(message), icons)).toEqual({
      title: 'The ferries sail again',
      options: {
        body: 'The 10AM edition',
        tag: '11-26-26-10AM',
        lang: 'fr',
        dir: 'auto',
        silent: true,
        icon: '/static/icon.png',
        badge: '/static/badge.png',
        data: { path: '/edition/11-26-26-10AM' },
      },
    })
  })

  it.each(['', 'not JSON', 'null', '[]', '{}', '{"title":7}', '{"title":"  "}', '{"body":"A body"}'])(
    'shows what is always true for %j, and leads home',
    (text) => {
      const { title, options } = notificationOf(text, icons)
      expect([title, options.body, options.silent, options.data.path]).toEqual([
        'The newest edition is one tap away',
        '',
        true,
        '/home',
      ])
    },
  )

  it('shows a message without an edition or a language', () => {
    const { title, options } = notificationOf('{"title":"Ferries","path":"/home"}', icons)
    expect([title, options.tag, options.lang]).toEqual(['Ferries', '', ''])
  })
})

describe('a tap on a notification', () => {
  it('leads to the screen of the edition', () => {
    expect(screenUrl({ path: '/edition/11-26-26-10AM' }, site)).toBe(
      'https://news.example/#/edition/11-26-26-10AM',
    )
  })

  it.each([
    null,
    undefined,
    {},
    { path: 'https://elsewhere.example/' },
    { path: '//elsewhere.example' },
    { path: '/\\elsewhere.example' },
    { path: 'javascript:alert(1)' },
    { path: '/edition/x?y#z' },
    { path: 4 },
  ])('leads home with %j', (data) => {
    expect(screenUrl(data, site)).toBe('https://news.example/#/home')
  })
})
