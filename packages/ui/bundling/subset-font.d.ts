declare module 'subset-font' {
  type Options = {
    targetFormat: 'woff2'
    variationAxes: Record<string, { min: number; max: number }>
    keepFeatures: readonly string[]
    noHinting: boolean
  }

  /** Returns a font with the characters of a text. */
  function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>

  export = subsetFont
}
