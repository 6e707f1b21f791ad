/** The widths at which pages are also photographed. */
export const viewportWidths = [375, 768, 1440] as const

export interface FittedViewport {
  /** Of the frame, before it is scaled. */
  width: number
  height: number
  /** At most 1: a small page is not blown up. */
  scale: number
  /** From the left edge of the box, so that it stands in the middle. */
  left: number
}

/** A viewport of `width` pixels in a box: scaled down to fit, and as high as the box then allows. */
export function fitViewport(width: number, box: { width: number; height: number }): FittedViewport {
  const scale = box.width <= 0 ? 1 : Math.min(1, box.width / width)
  return {
    width,
    height: Math.max(1, Math.round(box.height / scale)),
    scale,
    left: Math.max(0, Math.floor((box.width - width * scale) / 2)),
  }
}

/** `768 px at 51 %` */
export function describeViewport({ width, scale }: FittedViewport): string {
  return scale === 1 ? `${width} px, full size` : `${width} px at ${Math.round(scale * 100)} %`
}

export function readViewportWidth(text: string | null, fallback: number): number {
  return viewportWidths.find((width) => String(width) === text) ?? fallback
}

/** Where nobody chose: what a phone can show, else what a column of panels can. */
export function defaultViewportWidth(windowWidth: number): number {
  return windowWidth < 640 ? 375 : 768
}
