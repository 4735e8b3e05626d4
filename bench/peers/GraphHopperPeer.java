import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.graphhopper.GHRequest;
import com.graphhopper.GHResponse;
import com.graphhopper.GraphHopper;
import com.graphhopper.ResponsePath;
import com.graphhopper.config.CHProfile;
import com.graphhopper.config.LMProfile;
import com.graphhopper.config.Profile;
import com.graphhopper.jackson.ResponsePathSerializer;
import com.graphhopper.util.GHUtility;
import com.graphhopper.util.Instruction;
import com.graphhopper.util.Parameters;
import com.graphhopper.util.Translation;
import com.graphhopper.util.TurnCostsConfig;
import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/** GraphHopper beside us. {@code build EXTRACT FOLDER} makes its map, {@code serve FOLDER} answers requests line by line. */
public final class GraphHopperPeer {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final GraphHopper hopper;
  private final Translation english;

  private GraphHopperPeer(GraphHopper hopper) {
    this.hopper = hopper;
    this.english = hopper.getTranslationMap().getWithFallBack(Locale.ENGLISH);
  }

  /**
   * Its own car, with the turn restrictions and U-turn costs that its example configuration proposes: without them its graph
   * has no turns, and the question would be an easier one than ours. Contraction and landmarks are prepared.
   */
  private static GraphHopper configured(String folder) {
    GraphHopper hopper = new GraphHopper();
    hopper.setGraphHopperLocation(folder);
    hopper.setEncodedValuesString("car_access, car_average_speed, road_access");
    hopper.setProfiles(
        new Profile("car")
            .setCustomModel(GHUtility.loadCustomModelFromJar("car.json"))
            .setTurnCostsConfig(TurnCostsConfig.car().setUTurnCosts(60)));
    hopper.getCHPreparationHandler().setCHProfiles(new CHProfile("car"));
    hopper.getLMPreparationHandler().setLMProfiles(new LMProfile("car"));
    return hopper;
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream out = System.out;
    System.setOut(System.err);
    if (arguments[0].equals("build")) {
      GraphHopper hopper = configured(arguments[2]);
      hopper.setOSMFile(arguments[1]);
      hopper.importOrLoad();
      hopper.close();
      return;
    }
    GraphHopper hopper = configured(arguments[1]);
    if (!hopper.load()) throw new IllegalStateException("there is no map in " + arguments[1]);
    GraphHopperPeer peer = new GraphHopperPeer(hopper);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonNode request = JSON.readTree(line);
      out.println(request.get("do").asText().equals("round") ? peer.round(request) : "{}");
      out.flush();
    }
  }

  private ObjectNode round(JsonNode request) {
    boolean full = request.get("answer").asText().equals("full");
    String algorithm = request.get("algorithm").asText();
    JsonNode pairs = request.get("pairs");
    double[][] places = new double[pairs.size()][4];
    for (int i = 0; i < places.length; i++)
      for (int k = 0; k < 4; k++) places[i][k] = pairs.get(i).get(k).asDouble();
    int repeat = request.path("repeat").asInt(1);
    ResponsePath[] found = new ResponsePath[places.length];
    long[] tookNs = new long[repeat * places.length];
    long cpu = SYSTEM.getProcessCpuTime();
    long wall = System.nanoTime();
    for (int turn = 0; turn < repeat; turn++)
      for (int i = 0; i < places.length; i++) {
        long before = System.nanoTime();
        found[i] = ask(places[i], full, algorithm);
        tookNs[turn * places.length + i] = System.nanoTime() - before;
      }
    cpu = SYSTEM.getProcessCpuTime() - cpu;
    wall = System.nanoTime() - wall;
    ObjectNode answer = JSON.createObjectNode().put("cpuS", cpu / 1e9).put("wallS", wall / 1e9);
    ArrayNode answers = answer.putArray("answers");
    for (ResponsePath path : found)
      if (path == null) answers.addNull();
      else answers.addArray().add(path.getDistance()).add(path.getTime() / 1e3);
    ArrayNode took = answer.putArray("tookMs");
    for (long ns : tookNs) took.add(ns / 1e6);
    return answer;
  }

  /** Keeps what the texts and the line came to, so that no compiler can leave them out. */
  private long written;

  private ResponsePath ask(double[] place, boolean full, String algorithm) {
    GHRequest request = new GHRequest(place[0], place[1], place[2], place[3]).setProfile("car");
    request.putHint(Parameters.Routing.CALC_POINTS, full);
    request.putHint(Parameters.Routing.INSTRUCTIONS, full);
    if (!algorithm.equals("CH")) request.putHint(Parameters.CH.DISABLE, true);
    GHResponse response = hopper.route(request);
    if (response.hasErrors()) return null;
    ResponsePath best = response.getBest();
    if (full) {
      for (Instruction step : best.getInstructions()) written += step.getTurnDescription(english).length();
      written += ResponsePathSerializer.encodePolyline(best.getPoints(), false, 1e5).length();
    }
    return best;
  }
}
