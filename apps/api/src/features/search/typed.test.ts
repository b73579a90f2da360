import { describe, expect, it } from 'vitest'
import { straighten } from './typed.ts'

describe('straighten', () => {
  it.for([
    ['“purple lighthouse keeper”', '"purple lighthouse keeper"'],
    ['„Haus am See“', '"Haus am See"'],
    ['«dans la mer»', '"dans la mer"'],
    ['»dans la mer«', '"dans la mer"'],
    ['‹mer›', '"mer"'],
    ['「東京都」 『大阪』', '"東京都" "大阪"'],
    ['＂東京＂', '"東京"'],
    ['harbour −ferry', 'harbour -ferry'],
    ['harbour –ferry', 'harbour -ferry'],
    ['harbour —ferry', 'harbour -ferry'],
    ['harbour ‐“night ferry”', 'harbour -"night ferry"'],
    ['twenty‑five', 'twenty-five'],
    ['dam — burst', 'dam burst'],
    ['dam - burst', 'dam burst'],
    ['– dam –', 'dam'],
    ['40\u00a0turbines', '40 turbines'],
    ['40\u202fturbines\u3000wind', '40 turbines wind'],
    ['nai\u0308ve', 'naïve'],
    ['l’été', 'l’été'],
    ['−', ''],
  ] as const)('makes %s to %s', ([typed, straight]) => {
    expect(straighten(typed).replaceAll(/ +/g, ' ')).toBe(straight)
  })
})
