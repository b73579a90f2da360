import sharp from 'sharp'
import type { Plugin } from 'vite'

const [paper, ink, accent] = ['#FBF8F1', '#1C1B19', '#A6402B']

/** Draws the site's letter. `scale` is its part of the square: smaller where a system crops the icon. */
function drawIcon({ scale, hasPaper }: { scale: number; hasPaper: boolean }): string {
  const margin = (32 - 32 * scale) / 2
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="512" height="512">
${hasPaper ? `<rect width="32" height="32" fill="${paper}"/>` : ''}
<g transform="translate(${margin} ${margin}) scale(${scale})" fill="none" stroke-width="2.2" stroke-linecap="round">
<path d="M8 9h16M16 9v15M12.5 24h7" stroke="${ink}"/><path d="M8 9v3M24 9v3" stroke="${accent}"/></g></svg>`
}

const icons = [
  { name: 'icon-192', size: 192, scale: 1, purpose: 'any' },
  { name: 'icon-512', size: 512, scale: 1, purpose: 'any' },
  { name: 'icon-maskable', size: 512, scale: 0.8, purpose: 'maskable' },
  { name: 'touch-icon', size: 180, scale: 0.95, purpose: null },
  // Beside a notification. The system colors what isn't transparent.
  { name: 'badge', size: 96, scale: 1.2, purpose: null, hasPaper: false },
]

/** Draws the icons of the installed site, and writes its manifest, in which the server sets the site's name. */
export function installable(): Plugin {
  return {
    name: 'tidings-installable',
    apply: 'build',
    async buildStart() {
      for (const { name, size, scale, hasPaper = true } of icons) {
        const source = await sharp(Buffer.from(drawIcon({ scale, hasPaper })), { density: 288 })
          .resize(size, size)
          .png({ compressionLevel: 9, palette: true })
          .toBuffer()
        this.emitFile({ type: 'asset', name: `${name}.png`, source })
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => [
        { tag: 'link', attrs: { rel: 'manifest', href: '/manifest.webmanifest' }, injectTo: 'head' },
        {
          tag: 'link',
          attrs: { rel: 'apple-touch-icon', href: iconFile('touch-icon', Object.keys(bundle ?? {})) },
          injectTo: 'head',
        },
      ],
    },
    generateBundle(_options, bundle) {
      const files = Object.keys(bundle)
      const manifest = {
        id: '/',
        start_url: '/',
        scope: '/',
        display: 'standalone',
        orientation: 'portrait',
        background_color: paper,
        theme_color: paper,
        icons: icons
          .filter(({ purpose }) => purpose !== null)
          .map(({ name, size, purpose }) => ({
            src: iconFile(name, files),
            sizes: `${size}x${size}`,
            type: 'image/png',
            purpose,
          })),
      }
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: JSON.stringify(manifest) })
    },
  }
}

/** Returns the path of an icon in the build. */
export function iconFile(name: string, files: readonly string[]): string {
  const file = files.find((path) => path.startsWith(`static/${name}-`))
  if (file === undefined) throw new Error(`The build has no icon named ${name}`)
  return `/${file}`
}
