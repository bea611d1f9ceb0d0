package dev.twophase.testkit.internal.report.drawing;

/** Says what the signs of a timeline mean. */
public final class Legend {

  private static final String BOX = "0 0 34 16";

  private Legend() {}

  public static void write(Markup out) {
    out.open("ul", "class", "legend");
    sign(out, "<rect class='life s0' x='13' y='0' width='9' height='16' rx='3'/>", "attempt alive");
    sign(
        out,
        "<rect class='life zombie' x='13' y='1' width='9' height='14' rx='3'/>",
        "zombie: lost by the job, still running");
    sign(out, "<line class='barrier' x1='2' x2='32' y1='8' y2='8'/>", "checkpoint barrier");
    sign(
        out,
        "<line class='call' x1='2' x2='27' y1='8' y2='8'/><path class='tip' d='M25 4L32 8L25 12Z'/>",
        "call that reaches the external system");
    sign(out, "<line class='lost' x1='2' x2='32' y1='8' y2='8'/>", "call or reply that is lost");
    sign(
        out,
        "<circle class='badge' cx='17' cy='8' r='8'/>"
            + "<text class='badge-letter' x='17' y='12'>A</text>",
        "injected fault: E error, A applied but reply lost, N not applied, U unknown, K killed, D held");
    sign(out, "<path class='cross' d='M12 3l10 10M22 3l-10 10'/>", "end by failure or kill");
    sign(out, "<rect class='closed' x='11' y='6' width='12' height='4'/>", "closed in order");
    sign(out, "<circle class='dot stored' cx='17' cy='8' r='4'/>", "checkpoint stored");
    sign(out, "<circle class='dot seen' cx='17' cy='8' r='4'/>", "what a reader sees has changed");
    sign(
        out,
        "<rect class='pill' x='2' y='1' width='30' height='14' rx='7'/>",
        "the anomaly, where it was first seen");
    out.close();
  }

  private static void sign(Markup out, String picture, String meaning) {
    out.open("li").open("svg", "viewBox", BOX, "width", 34, "height", 16);
    out.trusted(picture).close().text(meaning).close();
  }
}
