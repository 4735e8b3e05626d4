-- The layers of docs/formats/map-tiles.md for tilemaker 2, so that both cut the same map.
node_keys = { "place", "amenity", "shop", "tourism", "historic", "leisure", "railway", "highway", "aeroway" }

local function set(text)
  local found = {}
  for word in string.gmatch(text, "%S+") do found[word] = true end
  return found
end

local roads = {
  motorway = 5, trunk = 6, primary = 8, secondary = 9, tertiary = 10, unclassified = 12, residential = 12,
  living_street = 12, road = 12, busway = 13, pedestrian = 13, service = 13, track = 13, bridleway = 14,
  cycleway = 14, footway = 14, path = 14, steps = 14,
}
local rails = { rail = 8, narrow_gauge = 9, light_rail = 10, subway = 10, tram = 11, funicular = 11, monorail = 11 }
local waterways = { river = 9, canal = 10, stream = 13, ditch = 14, drain = 14 }
local places = {
  city = 6, town = 8, village = 10, suburb = 11, island = 10, quarter = 12, hamlet = 12, neighbourhood = 13,
  locality = 14, farm = 14, isolated_dwelling = 14,
}
local land = {
  natural = { wood = 7, sand = 10, beach = 10, bare_rock = 10, scree = 10, shingle = 10, heath = 11, scrub = 11,
    grassland = 11, wetland = 11 },
  landuse = { forest = 7, residential = 10, industrial = 10, commercial = 10, retail = 10, railway = 10, landfill = 10,
    farmland = 10, farmyard = 10, grass = 11, meadow = 11, orchard = 11, vineyard = 11, allotments = 11,
    plant_nursery = 11, quarry = 11, military = 11, greenhouse_horticulture = 11, village_green = 11,
    recreation_ground = 11, brownfield = 11, greenfield = 11, cemetery = 12, garages = 12, construction = 12 },
  leisure = { park = 11, garden = 11, golf_course = 11, nature_reserve = 11, common = 12, playground = 13,
    miniature_golf = 13, pitch = 13, track = 13 },
}
local sites = set("university college school hospital prison parking")
local minor = set("bench waste_basket waste_disposal bicycle_parking parking_space vending_machine street_lamp hunting_stand shelter clock parking parking_entrance motorcycle_parking recycling telephone grit_bin picnic_table information garden pitch swimming_pool")
local stops = { station = 12, halt = 13, tram_stop = 14 }

local function names(thing, from)
  local name, english = thing:Find("name"), thing:Find("name:en")
  if name ~= "" then thing:Attribute("name", name, from) end
  if english ~= "" and english ~= name then thing:Attribute("name_en", english, from) end
end

local function points(thing, centroid)
  local function layer(name)
    if centroid then thing:LayerAsCentroid(name) else thing:Layer(name, false) end
  end
  local place = thing:Find("place")
  if places[place] and thing:Find("name") ~= "" then
    layer("place_labels"); thing:Attribute("kind", place); names(thing, 0); thing:MinZoom(places[place])
  end
  local rail = thing:Find("railway")
  if stops[rail] then
    layer("public_transport"); thing:Attribute("kind", rail); names(thing, 0); thing:MinZoom(stops[rail])
    return
  end
  if thing:Find("amenity") == "ferry_terminal" or thing:Find("amenity") == "bus_station" then
    layer("public_transport"); thing:Attribute("kind", thing:Find("amenity")); names(thing, 0); thing:MinZoom(12)
    return
  end
  for _, key in ipairs({ "amenity", "shop", "tourism", "historic", "leisure" }) do
    local value = thing:Find(key)
    if value ~= "" and value ~= "no" and value ~= "yes" then
      if thing:Find("name") ~= "" and not minor[value] then
        layer("pois"); thing:Attribute(key, value); names(thing, 0); thing:MinZoom(14)
      end
      return
    end
  end
end

function node_function(node) points(node, false) end

function way_function(way)
  local highway, railway, waterway = way:Find("highway"), way:Find("railway"), way:Find("waterway")
  local kind, link = highway, false
  if string.sub(kind, -5) == "_link" then kind = string.sub(kind, 1, -6); link = true end
  local first = roads[kind]
  local area = way:Find("area") == "yes"
  if first and not area then
    way:Layer("streets", false); way:Attribute("kind", kind)
    if link then way:AttributeBoolean("link", true); if first < 11 then first = 11 end end
    way:MinZoom(first)
    if way:Holds("tunnel") and way:Find("tunnel") ~= "no" then way:AttributeBoolean("tunnel", true, 12) end
    if way:Holds("bridge") and way:Find("bridge") ~= "no" then way:AttributeBoolean("bridge", true, 12) end
    if way:Find("oneway") == "yes" or way:Find("junction") == "roundabout" then way:AttributeBoolean("oneway", true, 13) end
    if way:Holds("service") then way:Attribute("service", way:Find("service"), 13) end
    if way:Holds("ref") then way:Attribute("ref", way:Find("ref"), 8) end
    names(way, 12)
  elseif rails[railway] then
    way:Layer("streets", false); way:Attribute("kind", railway); way:AttributeBoolean("rail", true)
    if way:Holds("service") then way:MinZoom(13) else way:MinZoom(rails[railway]) end
    names(way, 12)
  end
  if way:Find("route") == "ferry" then
    way:Layer("ferries", false); way:Attribute("kind", "ferry"); way:MinZoom(9); names(way, 12)
  end
  if waterways[waterway] then
    way:Layer("water_lines", false); way:Attribute("kind", waterway); way:MinZoom(waterways[waterway]); names(way, 12)
  end
  if way:Find("boundary") == "administrative" and way:Holds("admin_level") then
    local level = tonumber(way:Find("admin_level")) or 11
    if level == 2 or level == 4 or level == 6 or level == 8 then
      way:Layer("boundaries", false); way:AttributeNumeric("admin_level", level); way:MinZoom(level == 8 and 12 or level == 6 and 10 or 6)
    end
  end
  if not way:IsClosed() then return end
  local size = way:Area()
  -- Four pixels of a 256-pixel tile, from which zoom on.
  local visible = 14
  for zoom = 4, 13 do
    local pixel = 156543 / (2 ^ zoom)
    if size >= 4 * pixel * pixel * 0.6 then visible = zoom; break end
  end
  local function ground(layer, value, from)
    way:Layer(layer, true); way:Attribute("kind", value); way:MinZoom(math.max(from, visible)); names(way, 12)
  end
  local building = way:Find("building")
  if building ~= "" and building ~= "no" then way:Layer("buildings", true); way:MinZoom(math.max(13, visible)) end
  local natural, landuse, leisure, amenity = way:Find("natural"), way:Find("landuse"), way:Find("leisure"), way:Find("amenity")
  if first and area then ground("street_polygons", kind, 13)
  elseif natural == "water" or natural == "glacier" then ground("water_polygons", natural, 4)
  elseif waterway == "riverbank" or waterway == "dock" then ground("water_polygons", "river", 4)
  elseif landuse == "basin" or landuse == "reservoir" then ground("water_polygons", landuse, 7)
  elseif land.leisure[leisure] then ground("land", leisure, land.leisure[leisure])
  elseif land.natural[natural] then ground("land", natural, land.natural[natural])
  elseif land.landuse[landuse] then ground("land", landuse, land.landuse[landuse])
  elseif sites[amenity] then ground("sites", amenity, 14)
  end
  points(way, true)
end
