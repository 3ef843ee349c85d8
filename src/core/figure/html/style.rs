//! The style of a figure in a page: its colours are mixed from that of the text around it, so that they can be read wherever that can.

use crate::core::figure::Theme;

/// Every rule is about the figure's own class.
const RULES: &str = "\
.emq-still{margin:1em 0;padding:.8em 1em;border:1px solid;border-color:color-mix(in srgb,currentcolor 25%,transparent);border-radius:6px;line-height:1.5;text-align:left;overflow-wrap:anywhere}
.emq-still figcaption{margin:0;padding:0;font:inherit;color:inherit;text-align:inherit}
.emq-still figcaption>:first-child{margin:0;font-size:1.25em;font-weight:700}
.emq-still p,.emq-still ul,.emq-still ol{margin:0;padding:0;list-style:none}
.emq-still figcaption p{font-size:.9em}
.emq-still li{display:flex;gap:.5em;margin:0;padding:.1em .3em}
.emq-still li>span:last-child{min-width:0}
.emq-still .in1{padding-left:1.2em}
.emq-still .in2{padding-left:2.4em}
.emq-still .in3{padding-left:3.6em}
.emq-still .lit{background:color-mix(in srgb,#4a86e8 16%,transparent)}
.emq-still .head{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1em;margin:.9em 0 .3em;padding:.2em .4em;border-bottom:1px solid;background:color-mix(in srgb,currentcolor 5%,transparent)}
.emq-still .head>span{font-size:.9em}
.emq-still .status{margin-top:.9em;padding-top:.4em;border-top:1px solid;border-color:color-mix(in srgb,currentcolor 25%,transparent)}
.emq-still code,.emq-still .number,.emq-still .status,.emq-still .labels{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.88em}
.emq-still code{padding:0;border:0;background:none;color:inherit}
.emq-still code.key{padding:0 .35em;border:1px solid;border-color:color-mix(in srgb,currentcolor 50%,transparent);border-radius:3px;-webkit-box-decoration-break:clone;box-decoration-break:clone}
.emq-still code.away{border:1.5px dashed}
.emq-still .number{flex:none;min-width:1.7em;text-align:right}
.emq-still .room{flex:none;width:1.22em}
.emq-still .quiet,.emq-still .number,.emq-still .comment{color:color-mix(in srgb,currentcolor 78%,#808080)}
.emq-still .pass{color:color-mix(in srgb,currentcolor 42%,#159a66)}
.emq-still .fail,.emq-still code.away,.emq-still .input{color:color-mix(in srgb,currentcolor 42%,#e0402f)}
.emq-still .doubt,.emq-still .digits{color:color-mix(in srgb,currentcolor 42%,#c28400)}
.emq-still .text{color:color-mix(in srgb,currentcolor 45%,#2e9a54)}
.emq-still .keyword{color:color-mix(in srgb,currentcolor 45%,#a94fc0)}
.emq-still .call,.emq-still .rail b{color:color-mix(in srgb,currentcolor 42%,#3f7fe6)}
.emq-still .mark{flex:none;display:inline-grid;place-items:center;box-sizing:border-box;width:1.36em;height:1.36em;margin-top:.12em;border:2px solid;font:700 .9em/1 ui-monospace,Menlo,Consolas,monospace}
.emq-still .mark.pass,.emq-still .mark.open{border-radius:50%}
.emq-still .mark.doubt{border-style:dashed;border-radius:.5em}
.emq-still .origin{padding:0 .4em;border:1px solid;border-color:color-mix(in srgb,currentcolor 50%,transparent);border-radius:3px}
.emq-still svg{display:block;width:100%;height:auto;margin-top:.6em}
.emq-still .axis,.emq-still .other,.emq-still .ring{fill:none;stroke:currentcolor;stroke-width:2}
.emq-still .own{fill:currentcolor}
.emq-still .labels{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1em}
.emq-still .beside{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26em),1fr));gap:0 1.5em}
.emq-still .beside>div{min-width:0}
.emq-still .code{margin:.3em 0}
.emq-still .code li{gap:0;padding:0 .3em}
.emq-still .code code{flex:1;min-width:0;white-space:pre-wrap}
.emq-still .code .number{margin-right:1em}
.emq-still .rail{position:relative;flex:none;width:2.4em;text-align:center}
.emq-still .rail b{font-size:.8em;padding:0 .35em;border:1px solid;border-radius:1em}
.emq-still .above>.rail::before,.emq-still .below>.rail::after{content:\"\";position:absolute;left:calc(50% - 1px);border-left:2px solid;color:color-mix(in srgb,currentcolor 42%,#3f7fe6)}
.emq-still .above>.rail::before{top:0;height:.25em}
.emq-still .below>.rail::after{top:1.4em;bottom:0}
.emq-still .above:not(.lit)>.rail::before{height:100%}
.emq-still .above:not(.lit)>.rail::after{content:none}
.emq-still u{text-decoration:underline;text-underline-offset:.25em;text-decoration-color:color-mix(in srgb,currentcolor 42%,#3f7fe6)}
.emq-still u.used{text-decoration-style:double}
.emq-still .said{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.emq-still .wide{overflow-x:auto}
.emq-still table{width:auto;margin:.6em 0;border-collapse:collapse;font-size:.92em}
.emq-still th,.emq-still td{padding:.25em .6em;border:1px solid;border-color:color-mix(in srgb,currentcolor 25%,transparent);text-align:left;white-space:nowrap}
.emq-still td .mark{margin-right:.3em}
.emq-still-light{color:#1d2433;background:#fff}
.emq-still-dark{color:#f1e9d8;background:#131f35}
@media print{.emq-still{break-inside:avoid}}
";

/// The style of a piece. It is the same for each, so that several on one page agree.
pub(super) fn of(_: Theme) -> String {
    format!("<style>\n{RULES}</style>\n")
}

/// The style of a document around one.
pub(super) fn page(scheme: &str) -> String {
    format!(
        "<style>\n:root{{color-scheme:{scheme}}}\nbody{{margin:0;padding:1rem;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#fffdf8,#0e1728);color:light-dark(#1d2433,#f1e9d8)}}\nmain{{max-width:68rem;margin:auto}}\n</style>\n"
    )
}
