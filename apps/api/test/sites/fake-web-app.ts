import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Creates a minimal built web app and client, so that API tests need no build. Returns their folder. */
export async function createFakeWebApp(folder: string): Promise<string> {
  const webApp = path.join(folder, 'web')
  await mkdir(path.join(webApp, 'static/js'), { recursive: true })
  await writeFile(
    path.join(webApp, 'index.html'),
    `<!doctype html><html lang="en"><title>Tidings</title><script type="application/json" id="site-config">{}</script>
<script type="application/json" id="site-start">{}</script>
<script>void 0</script><style>a{color:red}</style>`,
  )
  for (const font of ['figtree', 'newsreader']) {
    await writeFile(path.join(webApp, `static/${font}-latin-wght-normal-0123.woff2`), '')
  }
  await writeFile(path.join(webApp, 'static/js/main-0123.js'), 'console.log(1)\n')
  await writeFile(
    path.join(webApp, 'service-worker.js'),
    `const shell = '__SHELL_REVISION__'\nconst fonts = '__SITE_FONTS__'\n`,
  )
  await writeFile(path.join(webApp, 'manifest.webmanifest'), '{"start_url":"/"}')
  await mkdir(path.join(webApp, 'desk/static'), { recursive: true })
  await writeFile(
    path.join(webApp, 'desk/index.html'),
    '<!doctype html><title>Desk</title><script type="application/json" id="desk-config">{}</script>',
  )
  await writeFile(path.join(webApp, 'desk/static/main-0123.js'), 'console.log(2)\n')
  await mkdir(path.join(webApp, 'widget'))
  for (const file of ['client.js', 'client.global.js', 'widget.js', 'dialogs.js', 'widget/en-0123.js']) {
    await writeFile(path.join(webApp, file), `console.log('${file}')\n`)
  }
  return webApp
}
