// Cuts off what is longer than its line on a narrow screen, where a row of a list takes at most two lines. Also the
// texts for screen readers alone, which are placed relative to it: otherwise they would widen the page.
export const CLIPPED =
  "max-xl:relative max-xl:overflow-clip max-xl:text-ellipsis max-xl:whitespace-nowrap max-xl:[overflow-clip-margin:0.25rem] max-xl:[&_wbr]:hidden";

/** Also on a wide one. */
export const CLIPPED_ALWAYS =
  "relative overflow-clip text-ellipsis whitespace-nowrap [overflow-clip-margin:0.25rem] [&_wbr]:hidden";
