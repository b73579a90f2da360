import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { findChromium } from './chromium.ts'
import { repositoryRoot } from './repository.ts'
import { runTool } from './run-tool.ts'
import type { Site } from './site.ts'
import { endToEndReport } from './test-reports.ts'

const webDir = join(repositoryRoot, 'apps/web')

/** Runs the browser's journeys against a site; answers whether all went well. Their counts are in the JSON report. */
export async function runEndToEnd(
  site: Site,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const browser = await findChromium(say)
  const playwright = createRequire(join(webDir, 'package.json')).resolve('@playwright/test/package.json')
  const { succeeded } = await runTool([join(dirname(playwright), 'cli.js'), 'test', '--reporter=list,json'], {
    cwd: webDir,
    live: true,
    signal,
    env: {
      ...browser.env,
      CHROMIUM_PATH: browser.executablePath,
      PLAYWRIGHT_JSON_OUTPUT_FILE: endToEndReport,
      TIDINGS_SITE_URL: site.url,
      TIDINGS_INBOX_URL: site.inboxUrl,
      TIDINGS_DATABASE_URL: site.databaseUrl,
      TIDINGS_SITE_PASSWORD: site.sitePassword,
      TIDINGS_EDITOR_KEY: site.editorKey,
    },
  })
  return succeeded
}
