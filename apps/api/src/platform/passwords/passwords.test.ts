import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createFixedClock } from '../clock.ts'
import { createPasswords, type Passwords } from './passwords.ts'

const hasherFile = new URL('./hasher.ts', import.meta.url)
const cheap = { memoryKiB: 1024, passes: 1 }
const logLine = z.object({ msg: z.string(), pid: z.number() })

const opened: Passwords[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(opened.splice(0).map((passwords) => passwords.close()))
})

type Options = Partial<Parameters<typeof createPasswords>[0]>

/** Passwords with what was logged; `heard` waits for the next line with a message and answers with its process number. */
function openPasswords(options: Options = {}) {
  const log = new PassThrough()
  const lines: string[] = []
  const comingLines = createInterface(log)[Symbol.asyncIterator]()
  log.on('data', (line) => lines.push(String(line)))
  const passwords = createPasswords({
    ...cheap,
    hasherFile,
    logger: pino({ level: 'debug' }, log),
    ...options,
  })
  opened.push(passwords)

  async function heard(message: string): Promise<number> {
    for (;;) {
      const { msg, pid } = logLine.parse(JSON.parse((await comingLines.next()).value ?? ''))
      if (msg.startsWith(message)) return pid
    }
  }
  return { passwords, lines, heard }
}

/** A hasher that is there and holds still until it is told to go on. */
async function openStoppedPasswords(options: Options = {}) {
  const { passwords, lines, heard } = openPasswords(options)
  const hash = await passwords.hash('correct horse')
  const pid = await heard('password hasher started')
  process.kill(pid, 'SIGSTOP')
  return { passwords, lines, heard, hash, pid, goOn: () => process.kill(pid, 'SIGCONT') }
}

/** A program of its own that uses passwords and then runs `rest`. */
function spawnProgram(rest: string) {
  const from = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)
  const program = `
    import { createLogger } from ${from('../logger.ts')}
    import { createPasswords } from ${from('./passwords.ts')}
    const logger = createLogger({ level: 'debug', process: 'test' })
    const passwords = createPasswords({ memoryKiB: 1024, passes: 1, logger, hasherFile: new URL(${from('./hasher.ts')}) })
    ${rest}`
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

describe('hash and verify', () => {
  it('makes an argon2id hash of the wanted cost, with a salt of its own each time', async () => {
    const { passwords } = openPasswords()
    const [one, other] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=1024,p=1,t=1\$/)
    expect(other).not.toBe(one)
  })

  it('knows the right password from a wrong one', async () => {
    const { passwords } = openPasswords()
    const hash = await passwords.hash('correct horse')
    expect(await passwords.verify(hash, 'correct horse')).toEqual({ isRight: true, needsRehash: false })
    expect(await passwords.verify(hash, 'correct horse ')).toEqual({ isRight: false, needsRehash: false })
    expect(await passwords.verify(hash, '')).toEqual({ isRight: false, needsRehash: false })
  })

  it('says no to every password of an account that has none', async () => {
    const { passwords } = openPasswords()
    expect(await passwords.verify(null, 'correct horse')).toEqual({ isRight: false, needsRehash: false })
    expect(await passwords.verify(null, '')).toEqual({ isRight: false, needsRehash: false })
  })

  it('takes a password however its accents were typed', async () => {
    const { passwords } = openPasswords()
    const hash = await passwords.hash('caf\u00e9 au lait')
    expect(await passwords.verify(hash, 'cafe\u0301 au lait')).toMatchObject({ isRight: true })
  })

  it('asks for a new hash when the costs rose, of the right password only', async () => {
    const hash = await openPasswords().passwords.hash('correct horse')
    const { passwords } = openPasswords({ memoryKiB: 2048 })
    expect(await passwords.verify(hash, 'correct horse')).toEqual({ isRight: true, needsRehash: true })
    expect(await passwords.verify(hash, 'wrong horse')).toEqual({ isRight: false, needsRehash: false })
    const dearer = await passwords.hash('correct horse')
    expect(await openPasswords().passwords.verify(dearer, 'correct horse')).toMatchObject({
      needsRehash: false,
    })
  })

  it('fails, without quoting it, on a stored hash that cannot be read', async () => {
    const { passwords } = openPasswords()
    const failure = passwords.verify('not-a-hash', 'correct horse')
    await expect(failure).rejects.toThrow(/^A stored password hash could not be read$/)
    expect(await passwords.verify(null, 'correct horse')).toMatchObject({ isRight: false })
  })

  it('gives each of many at once its own answer', async () => {
    const { passwords } = openPasswords()
    const words = Array.from({ length: 60 }, (_, index) => `password ${index}`)
    const hashes = await Promise.all(words.map((word) => passwords.hash(word)))
    const own = await Promise.all(hashes.map((hash, index) => passwords.verify(hash, `password ${index}`)))
    const others = await Promise.all(
      hashes.map((hash, index) => passwords.verify(hash, `password ${index + 1}`)),
    )
    expect(own.filter(({ isRight }) => isRight)).toHaveLength(60)
    expect(others.filter(({ isRight }) => isRight)).toHaveLength(0)
  })

  it('logs neither passwords nor hashes', async () => {
    const { passwords, lines, hash, pid } = await openStoppedPasswords()
    const answer = passwords.verify(hash, 'correct horse')
    process.kill(pid, 'SIGKILL')
    await answer
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.join()).not.toMatch(/correct horse|argon2id\$/)
  })
})

describe('a flood of passwords', () => {
  it('refuses who finds too many waiting, and answers the others', async () => {
    const { passwords, hash, goOn } = await openStoppedPasswords({ concurrency: 1, maxQueueLength: 2 })
    const answers = Array.from({ length: 3 }, () => passwords.verify(hash, 'correct horse'))
    await expect(passwords.verify(hash, 'correct horse')).rejects.toMatchObject({
      code: 'service-busy',
      status: 503,
      headers: { 'Retry-After': '2' },
    })
    await expect(passwords.hash('correct horse')).rejects.toMatchObject({ code: 'service-busy' })
    goOn()
    expect((await Promise.all(answers)).filter(({ isRight }) => isRight)).toHaveLength(3)
  })

  it('refuses who waited five seconds', async () => {
    const clock = createFixedClock(new Date('2026-11-20T17:00:00.000Z'))
    const { passwords, hash, goOn } = await openStoppedPasswords({ concurrency: 1, clock })
    const running = passwords.verify(hash, 'correct horse')
    const waiting = passwords.verify(hash, 'correct horse')
    clock.moveTo(new Date('2026-11-20T17:00:05.001Z'))
    goOn()
    expect(await running).toMatchObject({ isRight: true })
    await expect(waiting).rejects.toMatchObject({ code: 'service-busy' })
  })
})

describe('the hasher', () => {
  it('is not started before the first password', async () => {
    const { passwords, lines } = openPasswords()
    await passwords.close()
    expect(lines).toEqual([])
  })

  it('gives way to everything that answers readers', async () => {
    const { passwords, heard } = openPasswords()
    await passwords.hash('correct horse')
    expect(getPriority(await heard('password hasher started'))).toBe(19)
  })

  it('works on when everything is told to end, until its parent does', async () => {
    const { passwords, lines, hash, pid, goOn } = await openStoppedPasswords()
    process.kill(pid, 'SIGINT')
    process.kill(pid, 'SIGTERM')
    goOn()
    expect(await passwords.verify(hash, 'correct horse')).toMatchObject({ isRight: true })
    expect(lines).toHaveLength(1)
  })

  it('is replaced when it is killed, and what was under way is done again', async () => {
    const { passwords, heard, hash, pid } = await openStoppedPasswords({ concurrency: 2 })
    const answers = [
      passwords.verify(hash, 'correct horse'),
      passwords.verify(hash, 'wrong horse'),
      passwords.verify(hash, 'correct horse'),
    ]
    process.kill(pid, 'SIGKILL')
    expect((await Promise.all(answers)).map(({ isRight }) => isRight)).toEqual([true, false, true])
    expect(await heard('password hasher started')).not.toBe(pid)
  })

  it('is replaced when it does not answer', async () => {
    const { passwords, heard, hash, pid } = await openStoppedPasswords()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const answer = passwords.verify(hash, 'correct horse')
    vi.advanceTimersByTime(20_000)
    await heard('password hasher exited')
    vi.advanceTimersByTime(100)
    expect(await answer).toMatchObject({ isRight: true })
    expect(await heard('password hasher started')).not.toBe(pid)
  })

  it('that always ends is tried twice for a request, which is then told so', async () => {
    // Run as a program, this file does nothing and is over.
    const { passwords, lines } = openPasswords({ hasherFile: new URL('./password-hash.ts', import.meta.url) })
    await expect(passwords.hash('correct horse')).rejects.toMatchObject({
      code: 'service-unavailable',
      status: 503,
    })
    expect(lines.filter((line) => line.includes('password hasher started'))).toHaveLength(2)
  })

  it('ends with its parent when that is killed', async () => {
    const program = spawnProgram(`await passwords.hash('correct horse'); setInterval(() => {}, 1000)`)
    await once(program.stdout, 'data')
    program.kill('SIGKILL')
    // The hasher writes to the same standard error, so that closes only when both have ended.
    const [code, signal] = await once(program, 'close')
    expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('keeps no program alive, but a program that waits for a hash gets it', async () => {
    const program = spawnProgram(`process.stdout.write(await passwords.hash('correct horse'))`)
    const [written, [code]] = await Promise.all([text(program.stdout), once(program, 'close')])
    expect(written).toContain('$argon2id$')
    expect(code).toBe(0)
  })
})

describe('close', () => {
  it('refuses what is under way, what waits and what comes', async () => {
    const { passwords, hash } = await openStoppedPasswords({ concurrency: 1 })
    const answers = [passwords.verify(hash, 'correct horse'), passwords.verify(hash, 'correct horse')]
    const outcomes = Promise.allSettled(answers)
    await passwords.close()
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'service-unavailable' } })
    }
    await expect(passwords.hash('correct horse')).rejects.toMatchObject({ code: 'service-unavailable' })
  })

  it('may be called again', async () => {
    const { passwords } = openPasswords()
    await passwords.hash('correct horse')
    await passwords.close()
    await expect(passwords.close()).resolves.toBeUndefined()
  })
})
