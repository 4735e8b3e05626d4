/** Half as long as `axe-core`, which comes with types but with comments, too. */
declare module 'axe-core/axe.min.js' {
  const axe: {
    /** The whole script. */
    readonly source: string;
  };
  export default axe;
}
