import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { createPasswords, type Passwords } from './passwords.ts'

const hasherFile = new URL('./hasher.ts', import.meta.url)
const source = { networks: ['203.0.113.7'], isKnown: true }
const cheap = { memoryKiB: 1024, passes: 1 }
// A call waits in the queue as long as a busy machine takes.
const clock = createFixedClock(new Date('2026-11-20T17:00:00.000Z'))
const logLine = z.object({ msg: z.string(), pid: z.number() })

const opened: Passwords[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(opened.splice(0).map((passwords) => passwords.close()))
})

type Options = Partial<Parameters<typeof createPasswords>[0]>

/** Creates passwords and returns their log. `waitForLine` waits for a message and returns its process id. */
function openPasswords(options: Options = {}) {
  const log = new PassThrough()
  const lines: string[] = []
  const comingLines = createInterface(log)[Symbol.asyncIterator]()
  log.on('data', (line) => lines.push(String(line)))
  const passwords = createPasswords({
    ...cheap,
    hasherFile,
    clock,
    logger: pino({ level: 'debug' }, log),
    ...options,
  })
  opened.push(passwords)

  async function waitForLine(message: string): Promise<number> {
    for (;;) {
      const { msg, pid } = logLine.parse(JSON.parse((await comingLines.next()).value ?? ''))
      if (msg.startsWith(message)) return pid
    }
  }
  return { passwords, lines, waitForLine }
}

/** Starts a hasher and suspends it until `resume` is called. */
async function openStoppedPasswords(options: Options = {}) {
  const { passwords, lines, waitForLine } = openPasswords(options)
  const hash = await passwords.hash('correct horse', source)
  const pid = await waitForLine('password hasher started')
  process.kill(pid, 'SIGSTOP')
  return { passwords, lines, waitForLine, hash, pid, resume: () => process.kill(pid, 'SIGCONT') }
}

/** Returns the id of a process's session, and the priority by which Linux schedules it; null if it doesn't. */
async function sessionOf(pid: number): Promise<{ id: string | undefined; priority: number | null }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const group = await readFile(`/proc/${pid}/autogroup`, 'utf8').catch(() => '')
  const priority = /nice (-?\d+)/.exec(group)?.[1]
  return { id: stat.split(' ')[5], priority: priority === undefined ? null : Number(priority) }
}

/** Starts a program that uses passwords and then runs `rest`. */
function spawnProgram(rest: string) {
  const from = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)
  const program = `
    import { createLogger } from ${from('../logger.ts')}
    import { createPasswords } from ${from('./passwords.ts')}
    const logger = createLogger({ level: 'debug', process: 'test' })
    const passwords = createPasswords({ memoryKiB: 1024, passes: 1, logger, hasherFile: new URL(${from('./hasher.ts')}) })
    const source = ${JSON.stringify(source)}
    ${rest}`
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

describe('hash and verify', () => {
  const passwords = createPasswords({ ...cheap, hasherFile, clock, logger: pino({ level: 'silent' }) })
  afterAll(() => passwords.close())

  it('create an argon2id hash of the wanted cost with a new salt each time', async () => {
    const [one, other] = await Promise.all([
      passwords.hash('correct horse', source),
      passwords.hash('correct horse', source),
    ])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=1024,p=1,t=1\$/)
    expect(other).not.toBe(one)
  })

  it('distinguish a right password from a wrong one', async () => {
    const hash = await passwords.hash('correct horse', source)
    expect(await passwords.verify(hash, 'correct horse', source)).toEqual({
      isRight: true,
      needsRehash: false,
    })
    expect(await passwords.verify(hash, 'correct horse ', source)).toEqual({
      isRight: false,
      needsRehash: false,
    })
    expect(await passwords.verify(hash, '', source)).toEqual({ isRight: false, needsRehash: false })
  })

  it('reject every password of an account without one', async () => {
    expect(await passwords.verify(null, 'correct horse', source)).toEqual({
      isRight: false,
      needsRehash: false,
    })
    expect(await passwords.verify(null, '', source)).toEqual({ isRight: false, needsRehash: false })
  })

  it('accept a password in any Unicode normalization', async () => {
    const hash = await passwords.hash('caf\u00e9 au lait', source)
    expect(await passwords.verify(hash, 'cafe\u0301 au lait', source)).toMatchObject({ isRight: true })
  })

  it('request a rehash of a right password when the cost has risen', async () => {
    const { passwords: costly } = openPasswords({ memoryKiB: 2048 })
    const hash = await passwords.hash('correct horse', source)
    expect(await costly.verify(hash, 'correct horse', source)).toEqual({ isRight: true, needsRehash: true })
    expect(await costly.verify(hash, 'wrong horse', source)).toEqual({ isRight: false, needsRehash: false })
    const costlyHash = await costly.hash('correct horse', source)
    expect(await passwords.verify(costlyHash, 'correct horse', source)).toMatchObject({
      needsRehash: false,
    })
  })

  it('fail on an invalid stored hash without quoting it', async () => {
    const failure = passwords.verify('not-a-hash', 'correct horse', source)
    await expect(failure).rejects.toThrow(/^A stored password hash could not be read$/)
    expect(await passwords.verify(null, 'correct horse', source)).toMatchObject({ isRight: false })
  })

  it('return the right result to each of many concurrent calls', async () => {
    const words = Array.from({ length: 60 }, (_, index) => `password ${index}`)
    const hashes = await Promise.all(words.map((word) => passwords.hash(word, source)))
    const own = await Promise.all(
      hashes.map((hash, index) => passwords.verify(hash, `password ${index}`, source)),
    )
    const others = await Promise.all(
      hashes.map((hash, index) => passwords.verify(hash, `password ${index + 1}`, source)),
    )
    expect(own.filter(({ isRight }) => isRight)).toHaveLength(60)
    expect(others.filter(({ isRight }) => isRight)).toHaveLength(0)
  })

  it('log neither passwords nor hashes', async () => {
    const { passwords, lines, hash, pid } = await openStoppedPasswords()
    const result = passwords.verify(hash, 'correct horse', source)
    process.kill(pid, 'SIGKILL')
    await result
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.join()).not.toMatch(/correct horse|argon2id\$/)
  })
})

describe('an overloaded hasher', () => {
  it('rejects a call when the queue is full, and completes the others', async () => {
    const { passwords, hash, resume } = await openStoppedPasswords({ concurrency: 1, maxQueueLength: 2 })
    const results = Array.from({ length: 3 }, () => passwords.verify(hash, 'correct horse', source))
    await expect(passwords.verify(hash, 'correct horse', source)).rejects.toMatchObject({
      code: 'service-busy',
      status: 503,
      headers: { 'Retry-After': '2' },
    })
    await expect(passwords.hash('correct horse', source)).rejects.toMatchObject({ code: 'service-busy' })
    resume()
    expect((await Promise.all(results)).filter(({ isRight }) => isRight)).toHaveLength(3)
  })

  it('rejects a call after five seconds in the queue', async () => {
    const clock = createFixedClock(new Date('2026-11-20T17:00:00.000Z'))
    const { passwords, hash, resume } = await openStoppedPasswords({ concurrency: 1, clock })
    const running = passwords.verify(hash, 'correct horse', source)
    const waiting = passwords.verify(hash, 'correct horse', source)
    clock.moveTo(new Date('2026-11-20T17:00:05.001Z'))
    resume()
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

  it('has a process priority a little below the normal one', async () => {
    const { passwords, waitForLine } = openPasswords()
    await passwords.hash('correct horse', source)
    const pid = await waitForLine('password hasher started')
    expect(getPriority(pid)).toBe(Math.max(2, getPriority()))
  })

  it.runIf(process.platform === 'linux')('has a session of its own, of normal priority', async () => {
    const { passwords, waitForLine } = openPasswords()
    await passwords.hash('correct horse', source)
    const pid = await waitForLine('password hasher started')
    const [session, parents] = await Promise.all([sessionOf(pid), sessionOf(process.pid)])
    expect(session.id).not.toBe(parents.id)
    // A session of low priority starves on a busy machine.
    expect(session.priority ?? 0).toBe(0)
  })

  it('ignores SIGINT and SIGTERM while its parent runs', async () => {
    const { passwords, lines, hash, pid, resume } = await openStoppedPasswords()
    process.kill(pid, 'SIGINT')
    process.kill(pid, 'SIGTERM')
    resume()
    expect(await passwords.verify(hash, 'correct horse', source)).toMatchObject({ isRight: true })
    expect(lines).toHaveLength(1)
  })

  it('is replaced when it is killed, and pending calls are repeated', async () => {
    const { passwords, waitForLine, hash, pid } = await openStoppedPasswords({ concurrency: 2 })
    const results = [
      passwords.verify(hash, 'correct horse', source),
      passwords.verify(hash, 'wrong horse', source),
      passwords.verify(hash, 'correct horse', source),
    ]
    process.kill(pid, 'SIGKILL')
    expect((await Promise.all(results)).map(({ isRight }) => isRight)).toEqual([true, false, true])
    expect(await waitForLine('password hasher started')).not.toBe(pid)
  })

  it('is replaced when it does not respond', async () => {
    const { passwords, waitForLine, hash, pid } = await openStoppedPasswords()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const result = passwords.verify(hash, 'correct horse', source)
    vi.advanceTimersByTime(20_000)
    await waitForLine('password hasher exited')
    vi.advanceTimersByTime(100)
    expect(await result).toMatchObject({ isRight: true })
    expect(await waitForLine('password hasher started')).not.toBe(pid)
  })

  it('is started at most twice for a call before the call fails', async () => {
    // As a program, this file does nothing and exits.
    const { passwords, lines } = openPasswords({ hasherFile: new URL('./password-hash.ts', import.meta.url) })
    await expect(passwords.hash('correct horse', source)).rejects.toMatchObject({
      code: 'service-unavailable',
      status: 503,
    })
    expect(lines.filter((line) => line.includes('password hasher started'))).toHaveLength(2)
  })

  it('exits when its parent is killed', async () => {
    const program = spawnProgram(`await passwords.hash('correct horse', source); setInterval(() => {}, 1000)`)
    await once(program.stdout, 'data')
    program.kill('SIGKILL')
    // The hasher shares standard error, so it closes only when both have exited.
    const [code, signal] = await once(program, 'close')
    expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('does not keep a program alive, except during a pending hash', async () => {
    const program = spawnProgram(`process.stdout.write(await passwords.hash('correct horse', source))`)
    const [written, [code]] = await Promise.all([text(program.stdout), once(program, 'close')])
    expect(written).toContain('$argon2id$')
    expect(code).toBe(0)
  })
})

describe('close', () => {
  it('rejects running, waiting and new calls', async () => {
    const { passwords, hash } = await openStoppedPasswords({ concurrency: 1 })
    const results = [
      passwords.verify(hash, 'correct horse', source),
      passwords.verify(hash, 'correct horse', source),
    ]
    const outcomes = Promise.allSettled(results)
    await passwords.close()
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'service-unavailable' } })
    }
    await expect(passwords.hash('correct horse', source)).rejects.toMatchObject({
      code: 'service-unavailable',
    })
  })

  it('is idempotent', async () => {
    const { passwords } = openPasswords()
    await passwords.hash('correct horse', source)
    await passwords.close()
    await expect(passwords.close()).resolves.toBeUndefined()
  })
})
