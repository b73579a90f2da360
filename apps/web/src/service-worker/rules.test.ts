import { describe, expect, it } from 'vitest'
import {
  isKeptArticlePath,
  isKeptArticlePicturePath,
  isKeptEditionPath,
  isKeptPicturePath,
  isShellUrl,
} from './rules.ts'

const site = 'https://news.example'

describe('the service worker', () => {
  it.each(['/', '/#/edition/11-20-26-10AM', '/?utm_source=mail', '/?session_id=cs_1#/account/dashboard'])(
    'answers the navigation to %s with the shell',
    (path) => {
      expect(isShellUrl(new URL(path, site))).toBe(true)
    },
  )

  it.each([
    '/docs',
    '/docs/',
    '/auth-provider/login?provider=google',
    '/auth/verify-email?token=x',
    '/shell.html',
    '/no-such-page',
    '/home',
    '/index.html',
    '/docs?utm_source=mail',
    '/desk/v1/editions',
    '/feeds/rss',
  ])('leaves the navigation to %s alone', (path) => {
    expect(isShellUrl(new URL(path, site))).toBe(false)
  })

  it.each(['/edition/prod/11-20-26-10AM', '/edition/prod/get_time_list/11-20-26', '/edition/prod/get_list'])(
    'keeps %s',
    (path) => {
      expect(isKeptEditionPath(path)).toBe(true)
    },
  )

  it.each([
    '/gate',
    '/edition/prod/get_gated_list',
    '/edition/prod/get_gated_list/0199a1f4',
    '/edition/update_counter',
    '/edition/prod/11-20-26-10AM/x',
    '/edition/prod/02-30-26-10AM',
    '/edition/prod/get_time_list/today',
    '/member',
    '/member/json',
    '/app-member',
    '/secure-content',
    '/comments/posts',
    '/desk/v1/editions',
    '/socket',
    '/gated/0199.jpg',
    '/profile-images/1.jpg',
    '/feeds/json',
    '/feeds/mC3kq8TzV0aYH5sWn2Lx/rss',
  ])('never keeps %s for every reader', (path) => {
    expect(isKeptEditionPath(path) || isKeptPicturePath(path)).toBe(false)
  })

  it.each(['/edition/prod/get_gated_list', '/edition/prod/get_gated_list/0199a1f4'])(
    'keeps %s for the member who requested it',
    (path) => {
      expect(isKeptArticlePath(path)).toBe(true)
    },
  )

  it.each([
    '/edition/prod/get_gated_list/',
    '/edition/prod/get_gated_list/0199a1f4/x',
    '/edition/prod/11-20-26-10AM',
    '/edition/prod/search',
    '/member',
    '/member/json',
    '/secure-content',
    '/comments/posts',
    '/profile-images/1.jpg',
    '/feeds/mC3kq8TzV0aYH5sWn2Lx/rss',
  ])('never keeps %s for a member', (path) => {
    expect(isKeptArticlePath(path) || isKeptArticlePicturePath(path)).toBe(false)
  })

  it('keeps the pictures of gated articles for the member', () => {
    expect(isKeptArticlePicturePath('/gated/0199.jpg')).toBe(true)
  })

  it('keeps the pictures of memos', () => {
    expect(isKeptPicturePath('/media/11-20-26/10AM/a.jpg')).toBe(true)
  })
})
