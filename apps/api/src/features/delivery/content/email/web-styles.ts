import { pageFonts } from '#http/pages/small-page.ts'

/** The site's fonts, for the page in the browser. */
export const webStyles = `
@font-face { font-family: Newsreader; font-weight: 200 800; font-display: swap; src: url(${pageFonts.serif.path}) }
@font-face { font-family: Figtree; font-weight: 300 900; font-display: swap; src: url(${pageFonts.sans.path}) }
:target { scroll-margin-top: 16px }
`
