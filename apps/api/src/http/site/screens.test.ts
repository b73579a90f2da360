import { describe, expect, it } from 'vitest'
import { isScreenPath } from './screens.ts'

describe('isScreenPath', () => {
  it.each([
    '/home',
    '/home/',
    '/protect',
    '/auth',
    '/footer',
    '/archive',
    '/gated',
    '/resetpassword',
    '/changepassword',
    '/account/login',
    '/account/signup',
    '/account/change-plan',
    '/account/dashboard',
    '/edition/10AM',
    '/viewgated/0199a1f4',
  ])('returns true for %s', (path) => {
    expect(isScreenPath(path)).toBe(true)
  })

  it.each([
    '/',
    '',
    'home',
    '//home',
    '/homes',
    '/home/x',
    '/xhome',
    '/account',
    '/account/login/x',
    '/edition',
    '/edition/',
    '/edition/prod/11-20-26-10AM',
    '/gated/a.jpg',
    '/gate',
    '/media/11-20-26/10AM/a.jpg',
    '/desk/v1/editions',
    '/static/js/main.js',
    '/openapi.json',
  ])('returns false for %j', (path) => {
    expect(isScreenPath(path)).toBe(false)
  })
})
