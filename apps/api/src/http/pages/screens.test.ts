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
  ])('takes %s for a screen', (path) => {
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
  ])('takes %j for none', (path) => {
    expect(isScreenPath(path)).toBe(false)
  })
})
