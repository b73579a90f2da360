import { describe, expect, it } from 'vitest'
import { chooseFormat, chooseWidth } from './picture-choice.ts'

describe('chooseWidth', () => {
  it.each([
    [undefined, 1080],
    [1, 360],
    [360, 360],
    [361, 720],
    [720, 720],
    [721, 1080],
    [1080, 1080],
    [1081, 1080],
    [10_000, 1080],
  ])('returns for %s the width %s', (wanted, width) => {
    expect(chooseWidth(wanted, 'editorial')).toBe(width)
  })

  it('returns the formats of a profile image', () => {
    expect([undefined, 100, 361, 2_000].map((wanted) => chooseWidth(wanted, 'profile'))).toEqual([
      720, 360, 720, 720,
    ])
  })
})

describe('chooseFormat', () => {
  it.each([
    ['image/avif,image/webp,image/apng,image/*,*/*;q=0.8', 'avif'],
    ['image/webp,image/*', 'webp'],
    ['image/webp, image/avif', 'avif'],
    ['IMAGE/AVIF', 'avif'],
    ['image/avif;q=0.9', 'avif'],
    ['image/avif;q=0,image/webp', 'webp'],
    ['image/avif; q=0.0, image/webp;q=0.000', 'jpeg'],
    ['image/avif;q=0.01', 'avif'],
    ['image/*', 'jpeg'],
    ['*/*', 'jpeg'],
    ['image/jpeg', 'jpeg'],
    ['text/html', 'jpeg'],
    ['image/avifx', 'jpeg'],
    ['', 'jpeg'],
    [',,;;', 'jpeg'],
    [undefined, 'jpeg'],
  ])('returns for Accept: %s the format %s', (accept, format) => {
    expect(chooseFormat(accept, 'editorial')).toBe(format)
  })

  it('does not return AVIF for a profile image', () => {
    expect(chooseFormat('image/avif,image/webp,*/*', 'profile')).toBe('webp')
    expect(chooseFormat('image/avif', 'profile')).toBe('jpeg')
  })
})
