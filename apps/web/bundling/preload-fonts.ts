import type { Plugin } from 'vite'

/**
 * Preloads the fonts of every screen in the shell, before the style sheet arrives.
 * @param names prefixes of the font files' names
 */
export function preloadFonts(names: readonly string[]): Plugin {
  return {
    name: 'tidings-preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const files = Object.keys(bundle ?? {})
        return names.map((name) => {
          const file = files.find((path) => path.includes(`/${name}-`) && path.endsWith('.woff2'))
          if (file === undefined) throw new Error(`The build has no font file named ${name}`)
          const attrs = {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            href: `/${file}`,
            crossorigin: true,
          }
          return { tag: 'link', attrs, injectTo: 'head-prepend' as const }
        })
      },
    },
  }
}
